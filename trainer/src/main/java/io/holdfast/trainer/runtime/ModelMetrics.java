package io.holdfast.trainer.runtime;

import io.holdfast.trainer.learn.TrainerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** One model's meters, {@code holdfast.trainer.*} with the tag {@code model}. Thread-safe. */
final class ModelMetrics {
  private static final String PREFIX = "holdfast.trainer.";

  private final MeterRegistry registry;
  private final String model;
  private final Counter windows;
  private final Counter rows;
  private final Counter versions;
  private final Counter fenced;
  private final Timer training;

  ModelMetrics(MeterRegistry registry, ModelStatus status) {
    this.registry = registry;
    model = status.model();
    windows = counter("windows", "Windows concluded and committed");
    rows = counter("rows", "Usable examples in concluded windows");
    versions = counter("versions", "Versions published");
    fenced = counter("fenced", "Times that somebody else opened the model's transactional id");
    training =
        Timer.builder(PREFIX + "training")
            .description("Time to evaluate a window and train on it")
            .tag("model", model)
            .register(registry);
    Gauge.builder(PREFIX + "version", status, ModelStatus::version)
        .description("The version that serves; -1 before the first, and while standing by")
        .tag("model", model)
        .strongReference(true)
        .register(registry);
  }

  void begun() {
    versions.increment();
  }

  void fenced() {
    fenced.increment();
  }

  void concluded(TrainerEvent.Concluded concluded) {
    windows.increment();
    rows.increment(concluded.window().rows().size());
    training.record(Duration.ofMillis(concluded.report().getTrainingMillis()));
    if (concluded.outcome() instanceof TrainerEvent.Outcome.Trained) {
      versions.increment();
    }
    concluded
        .window()
        .unusable()
        .forEach(
            (reason, count) ->
                Counter.builder(PREFIX + "unusable")
                    .description("Examples that could not be learned from")
                    .tag("model", model)
                    .tag("reason", reason)
                    .register(registry)
                    .increment(count));
  }

  private Counter counter(String name, String description) {
    return Counter.builder(PREFIX + name)
        .description(description)
        .tag("model", model)
        .register(registry);
  }
}
