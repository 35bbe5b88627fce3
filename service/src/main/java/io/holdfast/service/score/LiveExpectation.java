package io.holdfast.service.score;

import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.objective.Objective;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What one model's newest scores on this instance say of themselves, before any label has come: as
 * gauges, for objectives whose scores say anything. Thread-safe.
 */
public final class LiveExpectation {
  public static final String NAME = "holdfast.expected.uncorrected";

  /** A processor adds one score in so many: an entropy costs as much as a small model. */
  static final int EVERY = 8;

  private static final int ROWS = 1_000;

  private final Expected expected = new Expected(ROWS);

  LiveExpectation(MeterRegistry meters, String model, Objective objective) {
    for (String figure : Expected.uncorrectedFigures(objective)) {
      Gauge.builder(NAME, this, live -> live.figure(figure))
          .description("What the newest scores say of themselves, before labels come")
          .tag("model", model)
          .tag("metric", figure)
          .strongReference(true)
          .register(meters);
    }
  }

  /** Takes in a score; the array is only read. */
  synchronized void add(Objective objective, double[] raw) {
    expected.add(objective, raw);
  }

  /** NaN before the first score. */
  private synchronized double figure(String name) {
    return expected.uncorrected().getOrDefault(name, Double.NaN);
  }
}
