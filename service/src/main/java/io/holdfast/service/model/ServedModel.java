package io.holdfast.service.model;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.settings.ModelSettings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
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

  /** The version that serves and the head that said so. */
  public record Serving(ActiveModel model, ModelHead head) {}

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

  void serve(Serving next) {
    serving.set(next);
    swaps.increment();
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

  private double versionOrNaN() {
    Serving now = serving.get();
    return now == null ? Double.NaN : now.model().number();
  }

  private double ageSeconds(InstantSource clock) {
    Serving now = serving.get();
    return now == null ? Double.NaN : (clock.millis() - now.head().getAt().toEpochMilli()) / 1000.0;
  }
}
