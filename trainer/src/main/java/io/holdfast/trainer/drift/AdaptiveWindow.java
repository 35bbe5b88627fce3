package io.holdfast.trainer.drift;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/**
 * ADWIN: the longest stretch of newest values whose mean has not changed. Bifet and Gavaldà,
 * "Learning from time-changing data with adaptive windowing", SIAM Data Mining 2007. Values are in
 * [0, 1]. Owned by one thread.
 */
public final class AdaptiveWindow {
  /*
   * An exponential histogram: buckets of 1, 1, ..., 2, 2, ..., 4 values, at most MOST of a size, then
   * two of them become one of the next size. So there are O(log n) cuts; a value costs amortised O(1)
   * to add, and O(log n) each CHECKED_EVERY values to check.
   *
   * The means of two parts with n0 and n1 values must differ by
   *   e = sqrt(2/m v ln(2/d)) + 2/(3m) ln(2/d),  1/m = 1/n0 + 1/n1,  d = delta / cuts
   * where v is the variance of all: equation 3.1 of the paper, which divides delta by ln n. There are a
   * few times as many cuts, and ln n gave more false alarms than delta. While means differ at some cut,
   * the oldest bucket is dropped.
   */
  private static final int MOST = 5;
  private static final int SIZES = 40;
  static final int CHECKED_EVERY = 32;
  private static final int LEAST_PART = 5;
  private static final int LEAST_VALUES = 10;

  private final double delta;
  private final int[] buckets = new int[SIZES];
  private final double[][] sums = new double[SIZES][MOST + 1];
  private final double[][] squares = new double[SIZES][MOST + 1];
  private long width;
  private double sum;
  private double squareSum; // around the mean
  private long added;

  public enum Change {
    NONE,
    RISE,
    FALL
  }

  /** Without values; {@code delta} bounds the probability of a false alarm. */
  public AdaptiveWindow(double delta) {
    Check.that(delta > 0 && delta < 1, "delta must be above 0 and below 1: %s", delta);
    this.delta = delta;
  }

  public long width() {
    return width;
  }

  /** The mean; 0 if there are no values. */
  public double mean() {
    return width == 0 ? 0 : sum / width;
  }

  /** Takes the next value; drops older ones if the mean has changed. */
  public Change add(double value) {
    Check.that(value >= 0 && value <= 1, "values must be from 0 to 1: %s", value);
    added++;
    if (width > 0) {
      double off = value - mean();
      squareSum += off * off * width / (width + 1);
    }
    width++;
    sum += value;
    push(0, value, 0);
    return added % CHECKED_EVERY == 0 && width > LEAST_VALUES ? cut() : Change.NONE;
  }

  /** Adds a bucket as the newest of its size; merges the two oldest if there are too many. */
  private void push(int size, double bucketSum, double bucketSquares) {
    int at = buckets[size]++;
    sums[size][at] = bucketSum;
    squares[size][at] = bucketSquares;
    if (at == MOST) {
      double values = 1L << size;
      double first = sums[size][0];
      double second = sums[size][1];
      double off = (first - second) / values;
      double together = squares[size][0] + squares[size][1] + off * off * values / 2;
      drop(size, 2);
      push(size + 1, first + second, together);
    }
  }

  private void drop(int size, int count) {
    buckets[size] -= count;
    System.arraycopy(sums[size], count, sums[size], 0, buckets[size]);
    System.arraycopy(squares[size], count, squares[size], 0, buckets[size]);
  }

  private Change cut() {
    Change change = Change.NONE;
    for (Change found = find(); found != Change.NONE; found = find()) {
      change = found;
      dropOldest();
    }
    return change;
  }

  /** Whether the means differ at some cut, from the oldest on. */
  private Change find() {
    int cuts = Arrays.stream(buckets).sum();
    double variance = Math.max(0, squareSum / width);
    double log = StrictMath.log(2.0 * cuts / delta);
    long older = 0;
    double olderSum = 0;
    for (int size = SIZES - 1; size >= 0; size--) {
      for (int bucket = 0; bucket < buckets[size]; bucket++) {
        older += 1L << size;
        olderSum += sums[size][bucket];
        long newer = width - older;
        if (newer < LEAST_PART) {
          return Change.NONE;
        }
        if (older >= LEAST_PART) {
          double rise = (sum - olderSum) / newer - olderSum / older;
          if (Math.abs(rise) > bound(older, newer, variance, log)) {
            return rise > 0 ? Change.RISE : Change.FALL;
          }
        }
      }
    }
    return Change.NONE;
  }

  private static double bound(long older, long newer, double variance, double log) {
    double reciprocal = 1.0 / older + 1.0 / newer;
    return StrictMath.sqrt(2 * reciprocal * variance * log) + 2.0 / 3 * reciprocal * log;
  }

  private void dropOldest() {
    int size = SIZES - 1;
    while (buckets[size] == 0) {
      size--;
    }
    long values = 1L << size;
    double bucketSum = sums[size][0];
    double bucketSquares = squares[size][0];
    drop(size, 1);
    width -= values;
    sum -= bucketSum;
    double off = bucketSum / values - (width == 0 ? 0 : sum / width);
    squareSum -= bucketSquares + off * off * values * width / (values + width);
  }
}
