package io.holdfast.service.lookup;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Looks for records of a model's stream by their key. Thread-safe. */
public interface RecordLookup {

  /**
   * A message of the key that was looked for.
   *
   * @param value as JSON, without fields that no request may have; null if it cannot be read
   * @param problem why it cannot be read, in a sentence; null if it can
   */
  @Serdeable
  record Sighting(
      String topic,
      int partition,
      long offset,
      Instant at,
      @Nullable String value,
      @Nullable String problem) {}

  /**
   * The newest of each topic; null where there is none among those that were looked at.
   *
   * @param label null, too, if labels are in the records
   * @param looked how many of the newest messages of a topic are looked at
   */
  @Serdeable
  record Found(@Nullable Sighting record, @Nullable Sighting label, int looked) {}

  /**
   * The newest record and the newest label of a key, which is text.
   *
   * @throws io.holdfast.schemas.topic.TopicException in one sentence, if Kafka does not answer
   */
  Found find(String model, String key);
}
