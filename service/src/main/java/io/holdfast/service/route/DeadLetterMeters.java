package io.holdfast.service.route;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Counts one model's dead letters by reason. Thread-safe. */
public final class DeadLetterMeters {
  public static final String NAME = "holdfast.dead.letters";

  private final MeterRegistry meters;
  private final String model;
  private final ConcurrentMap<String, Counter> counters = new ConcurrentHashMap<>();

  public DeadLetterMeters(MeterRegistry meters, String model) {
    this.meters = meters;
    this.model = model;
  }

  /** Counts one dead letter. */
  public void count(String reason) {
    Counter counter = counters.get(reason);
    if (counter == null) {
      counter = counters.computeIfAbsent(reason, this::register);
    }
    counter.increment();
  }

  private Counter register(String reason) {
    return Counter.builder(NAME)
        .description("Records and labels that could not be used, by reason")
        .tag("model", model)
        .tag("reason", reason)
        .register(meters);
  }
}
