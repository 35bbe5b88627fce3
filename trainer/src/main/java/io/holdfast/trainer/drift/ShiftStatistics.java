package io.holdfast.trainer.drift;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/** Statistics of distribution shift: PSI and false discoveries. Stateless. */
final class ShiftStatistics {
  /** The population stability index from which on a population is taken to have moved. */
  static final double MOVED = 0.1;

  /** Shares of an empty bin, which has no logarithm, are taken to be of half a row. */
  private static final double HALF_A_ROW = 0.5;

  private ShiftStatistics() {}

  /**
   * How far apart two samples of one quantity are.
   *
   * @param distance of Kolmogorov and Smirnov: the largest difference of the two distribution
   *     functions, 0 to 1
   * @param stability the population stability index over tenths of the reference
   */
  record Distance(double distance, double stability) {}

  /**
   * What a bin adds to the stability index: (q − p) ln (q / p), of its shares p before and q now.
   */
  static double ofBin(double before, double allBefore, double now, double allNow) {
    double was = Math.max(before, HALF_A_ROW) / allBefore;
    double is = Math.max(now, HALF_A_ROW) / allNow;
    return (is - was) * StrictMath.log(is / was);
  }

  /**
   * Which of many tests to believe, so that no more than a share of these is false on average:
   * Benjamini and Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B 57, 1995.
   * Of p = 1 / E, E being the evidence, however tests depend on each other: Wang and Ramdas, "False
   * discovery rate control with e-values", J. R. Statist. Soc. B 84, 2022.
   */
  static boolean[] believed(double[] p, double share) {
    Check.that(share > 0 && share < 1, "the share must be above 0 and below 1: %s", share);
    double[] sorted = p.clone();
    Arrays.sort(sorted);
    double limit = -1;
    for (int k = 0; k < sorted.length; k++) {
      if (sorted[k] <= share * (k + 1) / sorted.length) {
        limit = sorted[k];
      }
    }
    boolean[] believed = new boolean[p.length];
    for (int test = 0; test < p.length; test++) {
      believed[test] = p[test] <= limit;
    }
    return believed;
  }
}
