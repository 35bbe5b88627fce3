package io.holdfast.service.model;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One model on this instance: what serves, since when, and what was refused. Written by the model
 * topic's reading thread alone; read by any.
 */
public final class ServedModel {
  private static final int REJECTIONS_KEPT = 20;

  private final ModelSettings settings;
  private final MeterRegistry meters;
  private final InstantSource clock;
  private final Counter swaps;
  private final FeatureWatch features;
  private final ScoreWatch scores;
  private final AtomicReference<@Nullable Serving> serving = new AtomicReference<>();
  private final Deque<Rejection> rejections = new ArrayDeque<>();
  private volatile @Nullable String refusal;

  /**
   * The version that serves, the head that said so, and what scores beside it.
   *
   * @param since when it was made to serve: a later pin or shadow changes the head and not this
   */
  public record Serving(
      ActiveModel model, ModelHead head, Instant since, @Nullable ActiveModel shadow) {

    Serving with(@Nullable ActiveModel shadow) {
      return new Serving(model, head, since, shadow);
    }
  }

  ServedModel(ModelSettings settings, MeterRegistry meters, InstantSource clock) {
    this.settings = settings;
    this.meters = meters;
    this.clock = clock;
    String name = settings.name();
    this.features = new FeatureWatch(name, settings.features().absent(), meters);
    this.scores = new ScoreWatch(name, meters, clock);
    for (LedgerException.Reason reason : LedgerException.Reason.values()) {
      rejects(reason.name());
    }
    this.swaps =
        Counter.builder("holdfast.model.swaps")
            .description("How often another version began to serve")
            .tag("model", name)
            .register(meters);
    gauge(
            "version",
            "The version that serves; NaN before the first",
            model -> model.number(Serving::model))
        .register(meters);
    gauge(
            "shadow",
            "The version that scores beside it; NaN if none does",
            model -> model.number(Serving::shadow))
        .register(meters);
    gauge(
            "age",
            "How long ago the serving version was made the head; NaN before the first",
            ServedModel::ageSeconds)
        .baseUnit("seconds")
        .register(meters);
    gauge(
            "stale",
            "1 while what serves is older than maxModelAge",
            model -> model.staleness().isPresent() ? 1 : 0)
        .register(meters);
  }

  private Gauge.Builder<ServedModel> gauge(
      String what, String description, ToDoubleFunction<ServedModel> value) {
    return Gauge.builder("holdfast.model." + what, this, value)
        .description(description)
        .tag("model", settings.name());
  }

  public ModelSettings settings() {
    return settings;
  }

  /** What its records lack. */
  FeatureWatch features() {
    return features;
  }

  /** How far its scores go. */
  public ScoreWatch scores() {
    return scores;
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

  /** Why the version of the newest head does not serve, in one sentence; null if it does. */
  public @Nullable String refusal() {
    return refusal;
  }

  void cannotServe(long version, String reason) {
    Serving now = serving.get();
    refusal =
        now == null
            ? Sentence.of("version %d cannot serve: %s", version, reason)
            : Sentence.of(
                "version %d cannot serve, and version %d serves on: %s",
                version, now.model().number(), reason);
  }

  /** That what serves is older than it may become, in one sentence; empty if it is not. */
  public Optional<String> staleness() {
    Serving now = serving.get();
    Duration limit = settings.maxModelAge();
    if (now == null || limit == null) {
      return Optional.empty();
    }
    Duration age = Duration.ofMillis((long) (1_000 * ageSeconds()));
    return age.compareTo(limit) <= 0
        ? Optional.empty()
        : Optional.of(
            Sentence.of(
                "model %s has served version %d for %s, longer than its maxModelAge of %s: see"
                    + " whether its trainer runs and labels come",
                settings.name(), now.model().number(), age, limit));
  }

  /** How often another version began to serve. */
  public long swaps() {
    return (long) swaps.count();
  }

  void serve(Serving next) {
    refusal = null;
    features.expect(next.model().version().model().features());
    Serving before = serving.getAndSet(next);
    if (before == null || !before.model().equals(next.model())) {
      swaps.increment();
    }
  }

  void reject(Rejection rejection) {
    rejects(rejection.reason()).increment();
    synchronized (rejections) {
      rejections.addFirst(rejection);
      if (rejections.size() > REJECTIONS_KEPT) {
        rejections.removeLast();
      }
    }
  }

  private Counter rejects(String reason) {
    return Counter.builder("holdfast.model.rejects")
        .description("Versions refused while another served on")
        .tag("model", settings.name())
        .tag("reason", reason)
        .register(meters);
  }

  private double number(Function<Serving, @Nullable ActiveModel> of) {
    Serving now = serving.get();
    ActiveModel model = now == null ? null : of.apply(now);
    return model == null ? Double.NaN : model.number();
  }

  private double ageSeconds() {
    Serving now = serving.get();
    return now == null ? Double.NaN : (clock.millis() - now.since().toEpochMilli()) / 1000.0;
  }
}
