package io.holdfast.service.score;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Counts one model's scored records and times them. Thread-safe. Counts what this instance
 * processed: a transaction that was aborted and done again counts twice, the topics hold it once.
 */
public final class ScoreMeters {
  public static final String SCORED = "holdfast.records.scored";
  public static final String SHADOW_SCORED = "holdfast.shadow.scored";
  public static final String SHADOW_FAILED = "holdfast.shadow.failed";
  public static final String CLIPPED = "holdfast.inputs.clipped";
  public static final String LATENCY = "holdfast.scoring";

  private static final Duration[] LATENCY_BUCKETS =
      LongStream.of(5, 20, 100, 500, 5_000, 50_000)
          .mapToObj(micros -> Duration.ofNanos(1_000 * micros))
          .toArray(Duration[]::new);

  private final Counter scored;
  private final Counter clipped;
  private final Timer latency;

  public ScoreMeters(MeterRegistry meters, String model) {
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

  void scored() {
    scored.increment();
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
