package io.holdfast.trainer.drift;

import java.util.Arrays;

/**
 * Two samples of one quantity: how far apart their distributions are. Missing values count as one
 * value of their own. The plain twin of what is compared by sketches. Stateless.
 */
final class TwoSamples {
  private static final int BINS = 10;

  private TwoSamples() {}

  /**
   * Compares.
   *
   * @param reference sorted ascending, NaN last as {@link Arrays#sort(double[])} leaves it; one
   *     value at least
   * @param now likewise
   */
  static ShiftStatistics.Distance between(double[] reference, double[] now) {
    return new ShiftStatistics.Distance(distance(reference, now), stability(reference, now));
  }

  /**
   * The p-value of a distance, 0 to 1: Kolmogorov's limit with Stephens' correction for small
   * samples (Numerical Recipes, 14.3).
   */
  static double p(double distance, double first, double second) {
    double size = Math.sqrt(first * second / (first + second));
    double lambda = (size + 0.12 + 0.11 / size) * distance;
    if (lambda < 0.2) {
      return 1; // the series converges slowly there, to 1
    }
    double sum = 0;
    for (int k = 1; k <= 100; k++) {
      sum += (k % 2 == 1 ? 2 : -2) * Math.exp(-2 * lambda * lambda * k * k);
    }
    return Math.clamp(sum, 0, 1);
  }

  private static double distance(double[] first, double[] second) {
    int i = 0;
    int j = 0;
    double largest = 0;
    while (i < first.length && j < second.length) {
      double value = Double.compare(first[i], second[j]) <= 0 ? first[i] : second[j];
      while (i < first.length && Double.compare(first[i], value) == 0) {
        i++;
      }
      while (j < second.length && Double.compare(second[j], value) == 0) {
        j++;
      }
      largest = Math.max(largest, Math.abs((double) i / first.length - (double) j / second.length));
    }
    return largest;
  }

  /** Sum over bins of (q − p) ln (q / p), of shares p of the reference and q now. */
  private static double stability(double[] reference, double[] now) {
    double index = 0;
    int fromReference = 0;
    int fromNow = 0;
    for (int bin = 1; bin <= BINS && fromReference < reference.length; bin++) {
      int last = (int) ((long) reference.length * bin / BINS) - 1;
      if (last < fromReference) {
        continue; // equal values that were taken with the bin before
      }
      double edge = reference[last];
      int toReference = bin == BINS ? reference.length : above(reference, edge, fromReference);
      int toNow = bin == BINS ? now.length : above(now, edge, fromNow);
      if (toReference == reference.length) {
        toNow = now.length;
      }
      index +=
          ShiftStatistics.ofBin(
              toReference - fromReference, reference.length, toNow - fromNow, now.length);
      fromReference = toReference;
      fromNow = toNow;
    }
    return index;
  }

  /** The first place behind {@code from} whose value is above {@code edge}. */
  private static int above(double[] sorted, double edge, int from) {
    int low = from;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Double.compare(sorted[middle], edge) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
