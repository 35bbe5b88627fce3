package io.holdfast.schemas.settings.keys;

import java.util.List;
import java.util.stream.Stream;

/** A model's own topics, below {@code topics}; their default names begin with the model's. */
public final class TopicKeys {
  public static final Key<String> RECORDS = topic("records", "What is scored");
  public static final Key<String> SCORES =
      topic("scores", "A score for each, in the partition of the same number");
  public static final Key<String> LABELS =
      topic("labels", "Labels in a topic: any number of partitions, any partitioner");
  public static final Key<String> EXAMPLES =
      topic("examples", "Record, score and label: what the trainer reads");
  public static final Key<String> SHADOW_SCORES =
      topic("shadowScores", "What a shadow scores beside; may be missing until there is one")
          .more("[Shadow](operations.md#roll-back-pin-shadow)");
  public static final Key<String> JOIN =
      topic("join", "With labels in a topic: scored records and labels by the id they share")
          .more("The service's own, so leave its partition count as it is");
  public static final Key<String> DEAD_LETTERS =
      topic("deadLetters", "What could not be used, as it came, with its reason in the headers");
  public static final Key<Integer> MAX_RECORD_BYTES =
      // Kafka is not made for larger messages than 16 MiB.
      Key.whole(
              "topics.maxRecordBytes",
              900_000,
              1_000,
              16 << 20,
              "No topic: the most that key, value and headers of a message may have together")
          .more("[Larger ones](operations.md#large-messages) are dead letters that refer to them");

  /** All, in the order of the documentation. */
  static final List<Key<?>> ALL =
      Stream.concat(
              Stream.of(
                  RECORDS,
                  SCORES,
                  LABELS,
                  EXAMPLES,
                  SHADOW_SCORES,
                  JOIN,
                  DEAD_LETTERS,
                  MAX_RECORD_BYTES),
              WireKeys.FRAMING.stream())
          .<Key<?>>map(key -> key)
          .toList();

  private TopicKeys() {}

  private static Key<String> topic(String name, String sentence) {
    String ending = name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    return Key.of("topics." + name, new Kind.KafkaName(), sentence)
        .usually("`NAME." + ending + "`");
  }

  /** What the topic of a model is called, unless said otherwise. */
  public static String usual(Key<String> topic, String model) {
    return topic.usually().replace("`", "").replace("NAME", model);
  }
}
