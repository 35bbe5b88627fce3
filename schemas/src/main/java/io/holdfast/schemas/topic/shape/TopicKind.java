package io.holdfast.schemas.topic.shape;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import java.util.Arrays;
import java.util.Optional;

/** What a topic is for, by the key that names it in a configuration. */
public enum TopicKind {
  MODELS("models"),
  SCHEMAS("schemas"),
  REPORTS("reports"),
  RECORDS("records"),
  SCORES("scores"),
  LABELS("labels"),
  EXAMPLES("examples"),
  JOIN("join"),
  DEAD_LETTERS("deadLetters"),
  SHADOW_SCORES("shadowScores");

  private final String key;

  TopicKind(String key) {
    this.key = key;
  }

  @Override
  public String toString() {
    return key;
  }

  /** The one of that key. */
  public static Optional<TopicKind> named(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key.equals(key)).findFirst();
  }

  /** Whether nothing of it is deleted but what has been replaced. */
  public boolean compacted() {
    return this == MODELS || this == SCHEMAS;
  }

  /** What a topic is in a configuration: the first that names it, those of all models first. */
  public static TopicKind of(Settings settings, String topic) {
    for (TopicKind kind : values()) {
      if (topic.equals(shared(settings, kind))
          || settings.models().values().stream().anyMatch(m -> topic.equals(own(m, kind)))) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no topic of the configuration: " + topic);
  }

  private static String shared(Settings settings, TopicKind kind) {
    return switch (kind) {
      case MODELS -> settings.topics().models();
      case SCHEMAS -> settings.topics().schemas();
      case REPORTS -> settings.topics().reports();
      case RECORDS, SCORES, LABELS, EXAMPLES, JOIN, DEAD_LETTERS, SHADOW_SCORES -> "";
    };
  }

  private static String own(ModelSettings model, TopicKind kind) {
    return switch (kind) {
      case RECORDS -> model.topics().records();
      case SCORES -> model.topics().scores();
      case LABELS -> model.topics().labels();
      case EXAMPLES -> model.topics().examples();
      case JOIN -> model.topics().join();
      case DEAD_LETTERS -> model.topics().deadLetters();
      case SHADOW_SCORES -> model.topics().shadowScores();
      case MODELS, SCHEMAS, REPORTS -> "";
    };
  }
}
