package io.holdfast.service.model;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.settings.ModelSettings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One model on this instance: what serves, since when, and what was refused. Written by the model
 * topic's reading thread alone; read by any.
 */
public final class ServedModel {
  private static final int REJECTIONS_KEPT = 20;

  private final ModelSettings settings;
  private final MeterRegistry meters;
  private final Counter swaps;
  private final AtomicReference<@Nullable Serving> serving = new AtomicReference<>();
  private final Deque<Rejection> rejections = new ArrayDeque<>();

  /**
   * The version that serves, the head that said so, and what scores beside it.
   *
   * @param since when the version was made to serve; a pin or a shadow that came later changes the
   *     head and not this
   * @param shadow null if nothing does
   */
  public record Serving(
      ActiveModel model, ModelHead head, Instant since, @Nullable ActiveModel shadow) {}

  ServedModel(ModelSettings settings, MeterRegistry meters, InstantSource clock) {
    this.settings = settings;
    this.meters = meters;
    String name = settings.name();
    this.swaps =
        Counter.builder("holdfast.model.swaps")
            .description("How often another version began to serve")
            .tag("model", name)
            .register(meters);
    Gauge.builder("holdfast.model.version", this, ServedModel::versionOrNaN)
        .description("The version that serves; NaN before the first")
        .tag("model", name)
        .register(meters);
    Gauge.builder("holdfast.model.shadow", this, ServedModel::shadowOrNaN)
        .description("The version that scores beside it; NaN if none does")
        .tag("model", name)
        .register(meters);
    Gauge.builder("holdfast.model.age", this, model -> model.ageSeconds(clock))
        .description("How long ago the serving version was made the head; NaN before the first")
        .baseUnit("seconds")
        .tag("model", name)
        .register(meters);
  }

  public ModelSettings settings() {
    return settings;
  }

  /** What serves; null before the first verified version. */
  public @Nullable Serving serving() {
    return serving.get();
  }

  /** The newest refusals, newest first. */
  public List<Rejection> rejections() {
    synchronized (rejections) {
      return new ArrayList<>(rejections);
    }
  }

  /** How often another version began to serve. */
  public long swaps() {
    return (long) swaps.count();
  }

  /** Takes a new head; another version is counted as a swap. */
  void serve(Serving next) {
    Serving before = serving.getAndSet(next);
    if (before == null || !before.model().equals(next.model())) {
      swaps.increment();
    }
  }

  void reject(Rejection rejection) {
    Counter.builder("holdfast.model.rejects")
        .description("Versions refused while another served on")
        .tag("model", settings.name())
        .tag("reason", rejection.reason())
        .register(meters)
        .increment();
    synchronized (rejections) {
      rejections.addFirst(rejection);
      if (rejections.size() > REJECTIONS_KEPT) {
        rejections.removeLast();
      }
    }
  }

  private double shadowOrNaN() {
    Serving now = serving.get();
    ActiveModel shadow = now == null ? null : now.shadow();
    return shadow == null ? Double.NaN : shadow.number();
  }

  private double versionOrNaN() {
    Serving now = serving.get();
    return now == null ? Double.NaN : now.model().number();
  }

  private double ageSeconds(InstantSource clock) {
    Serving now = serving.get();
    return now == null ? Double.NaN : (clock.millis() - now.since().toEpochMilli()) / 1000.0;
  }
}
