package io.holdfast.service.label;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts labels of one model by outcome. Thread-safe. */
public final class LabelMeters {
  public static final String NAME = "holdfast.labels";

  /** Labels that have no outcome yet. */
  public static final String PENDING = "holdfast.labels.pending";

  /** How long the oldest label has waited for scores. */
  public static final String HELD = "holdfast.labels.held";

  private final Map<LabelOutcome, Counter> counters = new EnumMap<>(LabelOutcome.class);

  /** Registers one counter an outcome, so that all are there from the start. */
  public LabelMeters(MeterRegistry meters, String model) {
    for (LabelOutcome outcome : LabelOutcome.values()) {
      counters.put(
          outcome,
          Counter.builder(NAME)
              .description("Labels by what became of them")
              .tag("model", model)
              .tag("outcome", outcome.name())
              .register(meters));
    }
  }

  /** Counts one label. */
  public void count(LabelOutcome outcome) {
    Counter counter = counters.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }
}
