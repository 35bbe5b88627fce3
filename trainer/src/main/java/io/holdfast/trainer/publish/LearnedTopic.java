package io.holdfast.trainer.publish;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;

/**
 * The topic that committed offsets of examples are of, {@code topic=3Db5QLSqSZieL3rJBUUegA after=12
 * window=15}: a topic that was deleted and made anew has the same name and another id, and offsets
 * from 0. It is the metadata of an offset of the model topic, since the broker forgets offsets of a
 * deleted topic. Earlier programs committed none.
 *
 * @param after the last window of the topic that had the name before; 0 if there was none
 * @param window the number of the last window
 */
public record LearnedTopic(Uuid id, long after, long window) {
  private static final Pattern TEXT =
      Pattern.compile("topic=([A-Za-z0-9_-]{22}) after=(\\d{1,18}) window=(\\d{1,18})");

  /** After that window. */
  public LearnedTopic at(long concluded) {
    return new LearnedTopic(id, after, concluded);
  }

  /** Empty if something else wrote the text. */
  public static Optional<LearnedTopic> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new LearnedTopic(
                Uuid.fromString(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "topic=" + id + " after=" + after + " window=" + window;
  }
}
