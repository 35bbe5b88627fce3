package io.holdfast.service.score;

import io.holdfast.schemas.ClassLabels;
import io.holdfast.service.model.ActiveModel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts one model's scored records and times them. Owned by a thread that scores. Counts what this
 * instance processed: a transaction that was aborted and done again counts twice, the topics hold
 * it once.
 */
public final class ScoreMeters {
  public static final String SCORED = "holdfast.records.scored";
  public static final String SHADOW_SCORED = "holdfast.shadow.scored";
  public static final String SHADOW_FAILED = "holdfast.shadow.failed";
  public static final String CLIPPED = "holdfast.inputs.clipped";
  public static final String LATENCY = "holdfast.scoring";

  private static final String PREDICTED = "holdfast.records.predicted";
  private static final int MOST_CLASSES = 100;
  private static final Duration[] LATENCY_BUCKETS =
      LongStream.of(5, 20, 100, 500, 5_000, 50_000)
          .mapToObj(micros -> Duration.ofNanos(1_000 * micros))
          .toArray(Duration[]::new);

  private final MeterRegistry meters;
  private final String model;
  private final Counter scored;
  private final Counter clipped;
  private final Timer latency;
  private @Nullable ActiveModel counted;
  private Counter[] ofClass = new Counter[0]; // of the classes of the version counted last

  public ScoreMeters(MeterRegistry meters, String model) {
    this.meters = meters;
    this.model = model;
    this.scored =
        Counter.builder(SCORED)
            .description("Records of the stream that were scored")
            .tag("model", model)
            .register(meters);
    this.clipped =
        Counter.builder(CLIPPED)
            .description("Values beyond what the linear base learned from; they count as its ends")
            .tag("model", model)
            .register(meters);
    this.latency =
        Timer.builder(LATENCY)
            .description("From a record's bytes to its raw score, of a sample of the records")
            .tag("model", model)
            .serviceLevelObjectives(LATENCY_BUCKETS)
            .register(meters);
  }

  /** One record was scored; the array is only read. Of the thread that scores. */
  void scored(ActiveModel by, double[] raw) {
    scored.increment();
    if (by != counted) {
      List<String> names = by.classes().names();
      ofClass = names.stream().limit(MOST_CLASSES).map(this::ofClass).toArray(Counter[]::new);
      counted = by;
    }
    if (ofClass.length > 0) {
      int predicted = ClassLabels.predicted(by.objective(), by.objective().prediction(raw));
      if (predicted < ofClass.length) {
        ofClass[predicted].increment();
      }
    }
  }

  private Counter ofClass(String name) {
    return Counter.builder(PREDICTED)
        .description("Records of the stream by their likeliest class, where classes have names")
        .tag("model", model)
        .tag("class", name)
        .register(meters);
  }

  void clipped(int values) {
    if (values > 0) {
      clipped.increment(values);
    }
  }

  /** One record's time, or its share of the time of a block. */
  void timed(long nanos) {
    latency.record(nanos, TimeUnit.NANOSECONDS);
  }
}
