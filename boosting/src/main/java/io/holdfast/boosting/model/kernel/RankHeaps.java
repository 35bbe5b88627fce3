package io.holdfast.boosting.model.kernel;

import java.util.Arrays;

/** The thresholds of features as heaps, for {@link VectorRanks}. Immutable. */
final class RankHeaps {
  private static final int FEWEST_LEVELS = 4;
  private static final int MOST_LEVELS = 6;

  private final int[] levels; // of each feature; 0 if its thresholds are too many
  private final int[] start;
  private final double[] heaps;

  /** Thresholds are ascending, each once. */
  RankHeaps(double[][] ofFeature) {
    levels = new int[ofFeature.length];
    start = new int[ofFeature.length];
    int length = 0;
    for (int k = 0; k < levels.length; k++) {
      int needed = Integer.SIZE - Integer.numberOfLeadingZeros(ofFeature[k].length);
      levels[k] = needed > MOST_LEVELS ? 0 : Math.max(needed, FEWEST_LEVELS);
      start[k] = length;
      length += levels[k] == 0 ? 0 : 1 << levels[k];
    }
    heaps = new double[length];
    Arrays.fill(heaps, Double.POSITIVE_INFINITY); // below nothing
    for (int k = 0; k < levels.length; k++) {
      for (int level = 0; level < levels[k]; level++) {
        int stride = 1 << (levels[k] - level);
        for (int place = 0; place < 1 << level; place++) {
          int threshold = place * stride + stride / 2 - 1;
          if (threshold < ofFeature[k].length) {
            heaps[start[k] + (1 << level) + place] = ofFeature[k][threshold];
          }
        }
      }
    }
  }

  boolean has(int k) {
    return levels[k] > 0;
  }

  /** Writes ranks by vectors, which are there and compiled; whether a value is missing. */
  boolean rank(int k, double[] values, int rows, long[] places, int[] ranks) {
    VectorRanks.rank(heaps, start[k], levels[k], values, rows, places, ranks);
    return VectorRanks.anyMissing(values, rows);
  }

  long bytes() {
    return 8L * heaps.length + 8L * levels.length;
  }
}
