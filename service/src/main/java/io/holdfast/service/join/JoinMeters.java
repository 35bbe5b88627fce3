package io.holdfast.service.join;

import io.holdfast.service.label.LabelMeters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts one model's records that make no example. Thread-safe. */
final class JoinMeters {
  private final Map<RecordOutcome, Counter> counters = new EnumMap<>(RecordOutcome.class);

  JoinMeters(MeterRegistry meters, String model) {
    for (RecordOutcome outcome : RecordOutcome.values()) {
      counters.put(
          outcome,
          Counter.builder(LabelMeters.WITHOUT_LABEL)
              .description("Scored records that make no example, by reason")
              .tag("model", model)
              .tag("reason", outcome.name())
              .register(meters));
    }
  }

  void count(RecordOutcome outcome) {
    Counter counter = counters.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }
}
