package io.holdfast.service.label;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts labels or records of one model by outcome, all from the start. Thread-safe. */
public final class OutcomeMeters<E extends Enum<E>> {
  public static final String LABELS = "holdfast.labels";
  public static final String RECORDS_WITHOUT_LABEL = "holdfast.records.without.label";

  /** Labels that have no outcome yet. */
  public static final String LABELS_PENDING = "holdfast.labels.pending";

  /** How long the oldest label has waited for scores. */
  public static final String LABELS_HELD = "holdfast.labels.held";

  /** Scored records that wait for their label. */
  public static final String RECORDS_PENDING = "holdfast.records.pending";

  private final Map<E, Counter> counters;

  /** Of a model's labels. */
  public static OutcomeMeters<LabelOutcome> labels(MeterRegistry meters, String model) {
    Counter.Builder labels =
        Counter.builder(LABELS).description("Labels by what became of them").tag("model", model);
    return new OutcomeMeters<>(LabelOutcome.class, labels, "outcome", meters);
  }

  /** Of a model's scored records that make no example. */
  public static OutcomeMeters<RecordOutcome> records(MeterRegistry meters, String model) {
    Counter.Builder records =
        Counter.builder(RECORDS_WITHOUT_LABEL)
            .description("Scored records that make no example, by reason")
            .tag("model", model);
    return new OutcomeMeters<>(RecordOutcome.class, records, "reason", meters);
  }

  private OutcomeMeters(
      Class<E> outcomes, Counter.Builder counter, String tag, MeterRegistry meters) {
    counters = new EnumMap<>(outcomes);
    for (E outcome : outcomes.getEnumConstants()) {
      counters.put(outcome, counter.withRegistry(meters).withTag(tag, outcome.name()));
    }
  }

  /** How many there have been since the start. */
  public double counted(E outcome) {
    return requireNonNull(counters.get(outcome)).count();
  }

  public void count(E outcome) {
    requireNonNull(counters.get(outcome)).increment();
  }
}
