package io.holdfast.trainer.runtime;

import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One model's meters, {@code holdfast.trainer.*} with the tag {@code model}. Owned by its thread.
 */
final class ModelMetrics {
  private static final String PREFIX = "holdfast.trainer.";
  private static final Duration[] LABEL_TO_VERSION_BUCKETS = {
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(15),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(30),
    Duration.ofHours(2),
    Duration.ofHours(12),
    Duration.ofDays(2)
  };

  private final MeterRegistry registry;
  private final String model;
  private final Counter windows;
  private final Counter rows;
  private final Counter versions;
  private final Counter kept;
  private final Counter fenced;
  private final AtomicReference<Double> drift = new AtomicReference<>(Double.NaN);
  private final CoverageMetrics coverage;
  private final Timer training;
  private final Timer labelToVersion;
  private final Map<String, Map<String, AtomicReference<Double>>> figures = new HashMap<>();

  ModelMetrics(MeterRegistry registry, ModelStatus status) {
    this.registry = registry;
    model = status.model();
    windows = counter("windows", "Windows concluded and committed");
    rows = counter("rows", "Usable examples in concluded windows");
    versions = counter("versions", "Versions published");
    kept = counter("windows.kept", "Windows after which no new version was published");
    fenced = counter("fenced", "Times that somebody else opened the model's transactional id");
    coverage = new CoverageMetrics(registry, model);
    training =
        Timer.builder(PREFIX + "training")
            .description("Time to evaluate a window and train on it")
            .tag("model", model)
            .register(registry);
    labelToVersion =
        Timer.builder(PREFIX + "label.to.version")
            .description("From the time of a label, or its record if later, to the first version")
            .tag("model", model)
            .serviceLevelObjectives(LABEL_TO_VERSION_BUCKETS)
            .register(registry);
    for (Reason reason : Reason.values()) {
      unusable(reason.name());
    }
    Refusal.OTHER_REASONS.forEach(this::unusable);
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

  /** A window is concluded, and what came of it committed at that time. */
  void concluded(TrainerEvent.Concluded concluded, long committedMillis) {
    WindowReport report = concluded.report();
    windows.increment();
    rows.increment(concluded.window().rows().size());
    show("loss", "Mean loss of the newest window before training", losses(report));
    show("measured", "Metrics of what was served in the newest window", report.getMetrics());
    show(
        "expected",
        "What served scores made one expect of the newest window before its labels came",
        report.getExpected() == null ? Map.of() : report.getExpected().getMetrics());
    coverage.show(report);
    training.record(Duration.ofMillis(report.getTrainingMillis()));
    if (concluded.outcome() instanceof TrainerEvent.Outcome.Trained) {
      versions.increment();
      for (LabelledRow row : concluded.window().rows()) {
        long waited = committedMillis - row.position().timestamp();
        labelToVersion.record(Math.max(0, waited), TimeUnit.MILLISECONDS);
      }
    } else {
      kept.increment();
    }
    if (report.getDrift() != null) {
      drift.set((double) report.getDrift().getAlarms().size());
    }
    concluded.window().unusable().forEach((reason, count) -> unusable(reason).increment(count));
  }

  private Counter unusable(String reason) {
    return Counter.builder(PREFIX + "unusable")
        .description("Examples that could not be learned from")
        .tag("model", model)
        .tag("reason", reason)
        .register(registry);
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
