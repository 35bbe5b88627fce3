package io.holdfast.service.label;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts one model's scored records that make no example. Thread-safe. */
public final class RecordMeters {
  public static final String NAME = "holdfast.records.without.label";

  /** Scored records that wait for their label. */
  public static final String PENDING = "holdfast.records.pending";

  private final Map<RecordOutcome, Counter> counters = new EnumMap<>(RecordOutcome.class);

  /** Registers one counter an outcome, so that all are there from the start. */
  public RecordMeters(MeterRegistry meters, String model) {
    for (RecordOutcome outcome : RecordOutcome.values()) {
      counters.put(
          outcome,
          Counter.builder(NAME)
              .description("Scored records that make no example, by reason")
              .tag("model", model)
              .tag("reason", outcome.name())
              .register(meters));
    }
  }

  /** Counts one record. */
  public void count(RecordOutcome outcome) {
    Counter counter = counters.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }
}
