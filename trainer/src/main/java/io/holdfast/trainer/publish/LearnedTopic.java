package io.holdfast.trainer.publish;

import io.holdfast.trainer.evaluate.PairedEvidence;
import io.holdfast.trainer.expect.Trials;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * The topic that committed offsets of examples are of, {@code topic=3Db5QLSqSZieL3rJBUUegA after=12
 * window=15}: a topic that was deleted and made anew has the same name and another id, and offsets
 * from 0. It is the metadata of an offset of the model topic, since the broker forgets offsets of a
 * deleted topic. Earlier programs committed none. Behind it stands {@code evidence=...} while a
 * shadow waits to be shown better, and {@code trials=...} once there are any.
 *
 * @param after the last window of the topic that had the name before; 0 if there was none
 * @param window the number of the last window
 * @param evidence up to that window; null without a promotion that was asked for
 * @param trials what came of the expectations up to that window
 */
public record LearnedTopic(
    Uuid id, long after, long window, @Nullable PairedEvidence evidence, Trials trials) {
  private static final Pattern TEXT =
      Pattern.compile(
          "topic=([A-Za-z0-9_-]{22}) after=(\\d{1,18}) window=(\\d{1,18})"
              + "(?: evidence=(\\S{1,1000}))?(?: trials=(\\S{1,2500}))?(?: .*)?");

  /** Without evidence and trials. */
  public LearnedTopic(Uuid id, long after, long window) {
    this(id, after, window, null, Trials.NONE);
  }

  /** After that window. */
  public LearnedTopic at(long concluded, @Nullable PairedEvidence found, Trials tried) {
    return new LearnedTopic(id, after, concluded, found, tried);
  }

  /** Empty if something else wrote the text. */
  public static Optional<LearnedTopic> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String evidence = matcher.group(4);
    String trials = matcher.group(5);
    return Optional.of(
        new LearnedTopic(
            Uuid.fromString(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Long.parseLong(matcher.group(3)),
            evidence == null ? null : PairedEvidence.parse(evidence).orElse(null),
            trials == null ? Trials.NONE : Trials.parse(trials).orElse(Trials.NONE)));
  }

  @Override
  public String toString() {
    return "topic="
        + id
        + " after="
        + after
        + " window="
        + window
        + (evidence == null ? "" : " evidence=" + evidence)
        + (trials.equals(Trials.NONE) ? "" : " trials=" + trials);
  }
}
