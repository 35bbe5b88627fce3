package io.holdfast.trainer.drift;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/**
 * Which of many tests to believe, so that of those believed no more than a given share is false on
 * average: Benjamini and Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B
 * 57, 1995. Where nothing has changed at all that is the chance of any alarm. Stateless.
 */
final class FalseDiscoveries {
  private FalseDiscoveries() {}

  /** Those to believe. */
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
