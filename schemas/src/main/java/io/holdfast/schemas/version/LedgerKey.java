package io.holdfast.schemas.version;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key of the model topic: {@code m/segment/<sha256>}, {@code m/bins/<sha256>}, {@code
 * m/reference/<sha256>}, {@code m/version/<n>}, {@code m/head}, {@code m/heads/<n>}.
 */
public sealed interface LedgerKey {
  String model();

  /** The key of a record that versions name by its digest. */
  sealed interface PieceKey extends LedgerKey {
    Digest digest();
  }

  /** The key of trees. */
  record SegmentKey(String model, Digest digest) implements PieceKey {
    @Override
    public String toString() {
      return model + "/segment/" + digest;
    }
  }

  /** The key of bins. */
  record BinsKey(String model, Digest digest) implements PieceKey {
    @Override
    public String toString() {
      return model + "/bins/" + digest;
    }
  }

  /** The key of a training reference. */
  record ReferenceKey(String model, Digest digest) implements PieceKey {
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

  /** The key that {@code text} spells, or an IllegalArgumentException. */
  static LedgerKey parse(String text) {
    Matcher matcher = Spelling.KEY.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a key of the model topic must be MODEL/segment/SHA-256, MODEL/bins/SHA-256,"
              + " MODEL/reference/SHA-256, MODEL/version/N, MODEL/head or MODEL/heads/N: "
              + (text.length() > 200 ? text.substring(0, 200) + "…" : text));
    }
    String model = matcher.group("model");
    if (matcher.group("piece") != null) {
      Digest digest = new Digest(matcher.group("digest"));
      return switch (matcher.group("piece")) {
        case "segment" -> new SegmentKey(model, digest);
        case "bins" -> new BinsKey(model, digest);
        default -> new ReferenceKey(model, digest);
      };
    }
    if (matcher.group("version") != null) {
      return new VersionKey(model, Long.parseLong(matcher.group("version")));
    }
    return matcher.group("head") != null
        ? new HistoryKey(model, Long.parseLong(matcher.group("head")))
        : new HeadKey(model);
  }

  /** How keys are spelled: one way each, so that equal keys have equal bytes. */
  final class Spelling {
    private static final Pattern KEY =
        Pattern.compile(
            "(?<model>[^/\\s]{1,100})/(?:(?<piece>segment|bins|reference)/(?<digest>[0-9a-f]{64})"
                + "|version/(?<version>0|[1-9][0-9]{0,17})|heads/(?<head>[1-9][0-9]{0,17})|head)");

    private Spelling() {}
  }
}
