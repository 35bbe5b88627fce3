package io.holdfast.schemas.settings.keys;

import java.util.List;

/** A model's own topics, below {@code topics}; their default names begin with the model's. */
public final class TopicKeys {
  private static final KeyTable KEYS = new KeyTable();

  private static final String[] FORMATS = {
    "auto", "single-object", "confluent", "confluent-header", "plain", "json"
  };

  static final String[] WRITTEN = {"single-object", "confluent", "confluent-header"};

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
      KEYS.whole(
              "topics.maxRecordBytes",
              900_000,
              1_000,
              16 << 20,
              "No topic: the most that key, value and headers of a message may have together")
          .more("[Larger ones](operations.md#large-messages) are dead letters that refer to them");

  public static final Key<String> FRAMING_OF_RECORDS =
      KEYS.choice(
              "topics.framing.records",
              "How records name their schema: `auto` looks at them",
              FORMATS)
          .more(
              "`single-object`, `confluent`, `confluent-header` ([all](formats.md#framing));"
                  + " `plain` Avro or `json` of one schema");
  public static final Key<String> RECORD_SCHEMA =
      KEYS.text("topics.framing.recordSchema", "The file of that one schema")
          .usually("none")
          .more("JSON under `auto` needs it, too");
  public static final Key<String> FRAMING_OF_LABELS =
      KEYS.choice("topics.framing.labels", "The same of labels in a topic", FORMATS);
  public static final Key<String> LABEL_SCHEMA =
      KEYS.text("topics.framing.labelSchema", "The file of their one schema").usually("none");

  public static final Key<String> FRAMING_OF_SCORES =
      KEYS.choice("topics.framing.scores", "How scores and shadow scores are written", WRITTEN)
          .more("`confluent` and `confluent-header` [register](how-to/registry.md) their schema");
  public static final Key<String> FRAMING_OF_EXAMPLES =
      KEYS.choice("topics.framing.examples", "How examples are written", WRITTEN);

  static final List<Key<?>> ALL = KEYS.all();

  private TopicKeys() {}

  private static Key<String> topic(String name, String sentence) {
    String ending = name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    return KEYS.of("topics." + name, new Kind.KafkaName(), sentence)
        .usually("`NAME." + ending + "`");
  }

  /** What the topic of a model is called, unless said otherwise. */
  public static String usual(Key<String> topic, String model) {
    return topic.usually().replace("`", "").replace("NAME", model);
  }
}
