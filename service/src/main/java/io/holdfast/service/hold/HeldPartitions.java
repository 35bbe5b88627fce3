package io.holdfast.service.hold;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The partitions of one model's topics that wait for a schema. Thread-safe. */
public final class HeldPartitions {
  public static final String NAME = "holdfast.schema.waiting";

  private final String model;
  private final Troubles troubles;
  private final Map<TopicPartition, Held> held = new ConcurrentHashMap<>();

  private record Held(long offset, String sentence) {}

  public HeldPartitions(String model, Troubles troubles, MeterRegistry meters) {
    this.model = model;
    this.troubles = troubles;
    Gauge.builder(NAME, held, Map::size)
        .description("Partitions whose next record waits for its schema")
        .tag("model", model)
        .strongReference(true)
        .register(meters);
  }

  /** A partition waits; {@code failure} is null while its schema is just being asked for. */
  void hold(TopicPartition partition, long offset, @Nullable String failure) {
    held.put(partition, new Held(offset, failure == null ? "" : failure));
    tell();
  }

  /** It does not, or somebody else has it. */
  void release(TopicPartition partition) {
    if (held.remove(partition) != null) {
      tell();
    }
  }

  private synchronized void tell() {
    TreeMap<String, Held> failing = new TreeMap<>();
    held.forEach(
        (partition, one) -> {
          if (!one.sentence.isEmpty()) {
            failing.put(partition.toString(), one);
          }
        });
    if (failing.isEmpty()) {
      troubles.end(model, TroubleKind.REGISTRY);
      return;
    }
    Map.Entry<String, Held> first = failing.firstEntry();
    troubles.begin(
        model,
        TroubleKind.REGISTRY,
        Sentence.of(
            "%d partitions wait, %s at offset %d, for a schema that cannot be looked up now: %s",
            failing.size(), first.getKey(), first.getValue().offset, first.getValue().sentence));
  }
}
