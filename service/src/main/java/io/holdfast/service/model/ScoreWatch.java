package io.holdfast.service.model;

import io.holdfast.boosting.evaluate.LabelRange;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Which scores of a model are far beyond all labels that this service has read since it started:
 * counted, whatever version scores. Thread-safe; one thread judges.
 */
public final class ScoreWatch {
  public static final String FAR_BEYOND = "holdfast.scores.far.beyond";

  /** A restarted service knows no earlier labels: a quiet hour's must not stand for all. */
  public static final int FEWEST_LABELS = 1_000;

  /** So many scores without one that is, and it is over. */
  private static final int CLEAR = 1_000;

  private static final String FIRST_SCORE = "holdfast.version.first.score";
  private static final Duration[] FIRST_SCORE_BUCKETS = {
    Duration.ofMillis(50),
    Duration.ofMillis(200),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10)
  };

  private final String model;
  private final LabelRange labels = new LabelRange(FEWEST_LABELS);
  private final Counter counter;
  private final InstantSource clock;
  private final Timer firstScores;
  private final AtomicReference<@Nullable Awaited> awaited = new AtomicReference<>();
  private final RecentScores recent = new RecentScores();
  private final LongAdder scores = new LongAdder();
  private final LongAdder far = new LongAdder();
  private volatile double newest;
  private long farBefore; // of the judging thread alone, as are the next
  private long farWhenOver;
  private long scoresBefore;

  /** A version that took another's place and has not scored yet. */
  private record Awaited(ActiveModel version, long committedMillis) {}

  /** Knows no label yet. */
  public ScoreWatch(String model, MeterRegistry meters, InstantSource clock) {
    this.model = model;
    this.clock = clock;
    this.firstScores =
        Timer.builder(FIRST_SCORE)
            .description("From the commit that made a version serve in place of another to its use")
            .tag("model", model)
            .serviceLevelObjectives(FIRST_SCORE_BUCKETS)
            .register(meters);
    this.counter =
        Counter.builder(FAR_BEYOND)
            .description("Scores further from all labels that came than these lie apart")
            .tag("model", model)
            .register(meters);
  }

  /** A version serves in place of another. */
  void await(ActiveModel version, long committedMillis) {
    awaited.set(new Awaited(version, committedMillis));
  }

  /** A version scores that another has scored before, on some thread. */
  @SuppressWarnings("ReferenceEquality") // versions are made once
  public void scoresFirst(ActiveModel version) {
    Awaited next = awaited.get();
    if (next != null && next.version() == version && awaited.compareAndSet(next, null)) {
      firstScores.record(
          Math.max(0, clock.millis() - next.committedMillis()), TimeUnit.MILLISECONDS);
    }
  }

  /** A label came that can be used. */
  public void labelled(double label) {
    labels.arrive(label);
  }

  /** A sample of the newest. */
  public RecentScores recent() {
    return recent;
  }

  /** A record was scored; the array is only read. */
  public void scored(Objective objective, double[] raw) {
    recent.add(objective, raw);
    if (objective.classes() > 0) {
      return;
    }
    scores.increment();
    double prediction = objective.prediction(raw);
    if (labels.farBeyond(prediction)) {
      newest = prediction;
      far.increment();
      counter.increment();
    }
  }

  /** Says what is wrong now. To be called now and then, by one thread. */
  void judge(Troubles troubles) {
    long scored = scores.sum();
    long now = far.sum();
    LabelRange.Bounds range = labels.bounds();
    if (now > farBefore && range != null) {
      farBefore = now;
      scoresBefore = scored;
      troubles.begin(
          model,
          TroubleKind.SCORES_FAR_BEYOND_LABELS,
          Sentence.of(
              "%,d scores, such as %.4g, are far beyond all labels that came since the start, %.4g"
                  + " to %.4g: see whether records hold values that cannot be, or go back to"
                  + " an earlier version",
              now - farWhenOver, newest, range.least(), range.greatest()));
    } else if (scored - scoresBefore >= CLEAR) {
      farWhenOver = now;
      troubles.end(model, TroubleKind.SCORES_FAR_BEYOND_LABELS);
    }
  }
}
