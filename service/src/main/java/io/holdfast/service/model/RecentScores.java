package io.holdfast.service.model;

import io.holdfast.boosting.objective.Objective;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** A sample of the newest predictions, to show how they are distributed. Thread-safe. */
public final class RecentScores {
  /** One score in so many is kept: a page needs no more, and the stream should not notice. */
  private static final int EVERY = 8;

  private static final int KEPT = 2_048;

  private final AtomicLongArray bits = new AtomicLongArray(KEPT);
  private final AtomicInteger next = new AtomicInteger();
  private int turn; // racy on purpose: which score is kept is of no concern

  /** A record was scored; the array is only read. */
  void add(Objective objective, double[] raw) {
    if (turn++ % EVERY == 0) {
      int place = next.getAndUpdate(one -> one + 1 == 2 * KEPT ? KEPT : one + 1) % KEPT;
      bits.setOpaque(place, Double.doubleToRawLongBits(objective.prediction(raw)));
    }
  }

  /** What is kept, in no order: means, probabilities of the label 1, or classes by number. */
  public double[] values() {
    double[] values = new double[Math.min(KEPT, next.get())];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.longBitsToDouble(bits.getOpaque(i));
    }
    return Arrays.stream(values).filter(Double::isFinite).toArray();
  }
}
