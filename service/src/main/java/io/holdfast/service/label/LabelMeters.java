package io.holdfast.service.label;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts labels of one model by outcome. Thread-safe. */
public final class LabelMeters {
  public static final String NAME = "holdfast.labels";

  /** Records that make no example, counted by the join. */
  public static final String WITHOUT_LABEL = "holdfast.records.without.label";

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
