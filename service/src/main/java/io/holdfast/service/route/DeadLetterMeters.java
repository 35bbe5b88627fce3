package io.holdfast.service.route;

import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Counts one model's dead letters by what they are of, and by reason. Thread-safe. */
public final class DeadLetterMeters {
  public static final String NAME = "holdfast.dead.letters";

  private final MeterRegistry meters;
  private final String model;
  private final ConcurrentMap<Kind, Counter> counters = new ConcurrentHashMap<>();

  private record Kind(Subject of, String reason) {}

  public DeadLetterMeters(MeterRegistry meters, String model) {
    this.meters = meters;
    this.model = model;
  }

  /** Counts one dead letter. */
  public void count(Subject of, String reason) {
    Kind kind = new Kind(of, reason);
    Counter counter = counters.get(kind);
    if (counter == null) {
      counter = counters.computeIfAbsent(kind, this::register);
    }
    counter.increment();
  }

  private Counter register(Kind kind) {
    return Counter.builder(NAME)
        .description("Records and labels that could not be used, by which of them and by reason")
        .tag("model", model)
        .tag("of", kind.of().label())
        .tag("reason", kind.reason())
        .register(meters);
  }
}
