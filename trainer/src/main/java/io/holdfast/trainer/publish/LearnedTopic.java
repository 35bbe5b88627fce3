package io.holdfast.trainer.publish;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;

/**
 * Which topic the committed offsets of examples are of: {@code topic=3Db5QLSqSZieL3rJBUUegA
 * after=12 window=15}. A topic that is deleted and made anew has the same name and another id, and
 * its first example has offset 0 again.
 *
 * <p>It stands in the metadata of an offset of the model topic: the broker forgets offsets of a
 * topic that is deleted. Earlier programs committed none.
 *
 * @param id the topic's id
 * @param after the number of the last window of the topic that had the name before; 0 if there was
 *     none
 * @param window the number of the last window
 */
public record LearnedTopic(Uuid id, long after, long window) {
  private static final Pattern TEXT =
      Pattern.compile("topic=([A-Za-z0-9_-]{22}) after=(\\d{1,18}) window=(\\d{1,18})");

  /** The same once that window is concluded. */
  public LearnedTopic at(long concluded) {
    return new LearnedTopic(id, after, concluded);
  }

  /** What {@code text} spells; empty if something else wrote it. */
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
