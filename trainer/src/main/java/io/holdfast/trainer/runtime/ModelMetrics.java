package io.holdfast.trainer.runtime;

import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.trainer.learn.TrainerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One model's meters, {@code holdfast.trainer.*} with the tag {@code model}. Owned by its thread.
 */
final class ModelMetrics {
  private static final String PREFIX = "holdfast.trainer.";

  private final MeterRegistry registry;
  private final String model;
  private final Counter windows;
  private final Counter rows;
  private final Counter versions;
  private final Counter kept;
  private final Counter fenced;
  private final AtomicReference<Double> drift = new AtomicReference<>(Double.NaN);
  private final Timer training;
  private final Map<String, Map<String, AtomicReference<Double>>> figures = new HashMap<>();

  ModelMetrics(MeterRegistry registry, ModelStatus status) {
    this.registry = registry;
    model = status.model();
    windows = counter("windows", "Windows concluded and committed");
    rows = counter("rows", "Usable examples in concluded windows");
    versions = counter("versions", "Versions published");
    kept = counter("windows.kept", "Windows after which no new version was published");
    fenced = counter("fenced", "Times that somebody else opened the model's transactional id");
    training =
        Timer.builder(PREFIX + "training")
            .description("Time to evaluate a window and train on it")
            .tag("model", model)
            .register(registry);
    Gauge.builder(PREFIX + "drift.alarms", drift, AtomicReference::get)
        .description("Alarms of the newest window that was compared; NaN before the first")
        .tag("model", model)
        .strongReference(true)
        .register(registry);
    Gauge.builder(PREFIX + "version", status, ModelStatus::version)
        .description("The version that serves; -1 before the first, and while standing by")
        .tag("model", model)
        .strongReference(true)
        .register(registry);
  }

  /** For clients of the model. */
  ClientMeters clients() {
    return new ClientMeters(registry, Tags.of("model", model));
  }

  void begun() {
    versions.increment();
  }

  void fenced() {
    fenced.increment();
  }

  void concluded(TrainerEvent.Concluded concluded) {
    WindowReport report = concluded.report();
    windows.increment();
    rows.increment(concluded.window().rows().size());
    show("loss", "Mean loss of the newest window before training", losses(report));
    show("measured", "Metrics of what was served in the newest window", report.getMetrics());
    show(
        "expected",
        "What served scores made one expect of the newest window before its labels came",
        report.getExpected() == null ? Map.of() : report.getExpected().getMetrics());
    training.record(Duration.ofMillis(report.getTrainingMillis()));
    (concluded.outcome() instanceof TrainerEvent.Outcome.Trained ? versions : kept).increment();
    if (report.getDrift() != null) {
      drift.set((double) report.getDrift().getAlarms().size());
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

  private static Map<String, Double> losses(WindowReport report) {
    return report.getRows() == 0
        ? Map.of()
        : Map.of(
            "served", report.getLoss(),
            "constant", report.getConstantLoss(),
            "worstEnvironment",
                report.getEnvironments().stream()
                    .mapToDouble(EnvironmentReport::getLoss)
                    .max()
                    .orElse(report.getLoss()));
  }

  /** A gauge for each metric; NaN for those that this window does not have. */
  private void show(String name, String description, Map<String, Double> values) {
    Map<String, AtomicReference<Double>> gauges =
        figures.computeIfAbsent(name, _ -> new HashMap<>());
    gauges.values().forEach(held -> held.set(Double.NaN));
    values.forEach(
        (metric, value) ->
            gauges.computeIfAbsent(metric, _ -> gauge(name, description, metric)).set(value));
  }

  private AtomicReference<Double> gauge(String name, String description, String metric) {
    var held = new AtomicReference<>(Double.NaN);
    Gauge.builder(PREFIX + name, held, AtomicReference::get)
        .description(description)
        .tag("model", model)
        .tag("metric", metric)
        .strongReference(true)
        .register(registry);
    return held;
  }

  private Counter counter(String name, String description) {
    return Counter.builder(PREFIX + name)
        .description(description)
        .tag("model", model)
        .register(registry);
  }
}
