package io.holdfast.schemas.version;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key of the model topic: {@code m/segment/<sha256>}, {@code m/bins/<sha256>}, {@code
 * m/reference/<sha256>}, {@code m/version/<n>}, {@code m/head}, {@code m/heads/<n>}.
 */
public sealed interface LedgerKey {
  String model();

  /** The key of tree segment {@code digest}. */
  record SegmentKey(String model, Digest digest) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/segment/" + digest;
    }
  }

  /** The key of the bins {@code digest}. */
  record BinsKey(String model, Digest digest) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/bins/" + digest;
    }
  }

  /** The key of the training reference {@code digest}. */
  record ReferenceKey(String model, Digest digest) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/reference/" + digest;
    }
  }

  /** The key of a version's manifest. */
  record VersionKey(String model, long version) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/version/" + version;
    }
  }

  /** The key of a model's head. */
  record HeadKey(String model) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/head";
    }
  }

  /** The key under which the head of that sequence number is kept when newer ones replace it. */
  record HistoryKey(String model, long sequence) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/heads/" + sequence;
    }
  }

  /**
   * The key that {@code text} spells.
   *
   * @throws IllegalArgumentException if it spells none
   */
  static LedgerKey parse(String text) {
    Matcher matcher = Spelling.KEY.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a key of the model topic must be MODEL/segment/SHA-256, MODEL/bins/SHA-256,"
              + " MODEL/reference/SHA-256, MODEL/version/N, MODEL/head or MODEL/heads/N: "
              + (text.length() > 200 ? text.substring(0, 200) + "…" : text));
    }
    String model = matcher.group(1);
    if (matcher.group(2) != null) {
      return new SegmentKey(model, new Digest(matcher.group(2)));
    }
    if (matcher.group(3) != null) {
      return new BinsKey(model, new Digest(matcher.group(3)));
    }
    if (matcher.group(4) != null) {
      return new ReferenceKey(model, new Digest(matcher.group(4)));
    }
    if (matcher.group(5) != null) {
      return new VersionKey(model, Long.parseLong(matcher.group(5)));
    }
    return matcher.group(6) != null
        ? new HistoryKey(model, Long.parseLong(matcher.group(6)))
        : new HeadKey(model);
  }

  /** How keys are spelled: one way each, so that equal keys have equal bytes. */
  final class Spelling {
    private static final Pattern KEY =
        Pattern.compile(
            "([^/\\s]{1,100})/(?:segment/([0-9a-f]{64})|bins/([0-9a-f]{64})"
                + "|reference/([0-9a-f]{64})"
                + "|version/(0|[1-9][0-9]{0,17})|heads/([1-9][0-9]{0,17})|head)");

    private Spelling() {}
  }
}
