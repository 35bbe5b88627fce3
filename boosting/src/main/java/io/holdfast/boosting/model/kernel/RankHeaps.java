package io.holdfast.boosting.model.kernel;

import java.util.Arrays;

/**
 * The thresholds of features as heaps of floats, each rounded to the nearest, for {@link
 * VectorRanks}. Immutable.
 */
final class RankHeaps {
  private static final int FEWEST_LEVELS = 4;
  private static final int MOST_LEVELS = 8; // ranks are bytes

  private final int[] levels; // of each feature; 0 if its thresholds are too many
  private final int[] start;
  private final int[] heaps; // the bits of floats

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
    heaps = new int[length];
    Arrays.fill(heaps, Float.floatToRawIntBits(Float.NaN)); // below nothing, and equal to nothing
    for (int k = 0; k < levels.length; k++) {
      for (int level = 0; level < levels[k]; level++) {
        int stride = 1 << (levels[k] - level);
        for (int place = 0; place < 1 << level; place++) {
          int threshold = place * stride + stride / 2 - 1;
          if (threshold < ofFeature[k].length) {
            heaps[start[k] + (1 << level) + place] =
                Float.floatToRawIntBits((float) ofFeature[k][threshold]);
          }
        }
      }
    }
  }

  /** Bits of a feature's ranks; 0 if they are no bytes. */
  int levels(int k) {
    return levels[k];
  }

  /**
   * Writes ranks to {@code scratch.ranks}, with a bit more behind the highest, and rows that miss
   * the feature to {@code scratch.lines}, by vectors, which are there and compiled.
   *
   * @param rows of {@code scratch.tile} from {@code first} on
   * @param wide by vectors of 512 bits, not 256
   * @return false if doubles must decide
   */
  boolean rank(int k, int first, int rows, int rankOfMissing, boolean wide, BlockScratch scratch) {
    float[] values = scratch.tile;
    int[] places = scratch.ranks;
    int found =
        wide
            ? VectorRanks.places(heaps, start[k], levels[k], values, first, rows, places)
            : VectorRanks256.places(heaps, start[k], levels[k], values, first, rows, places);
    if ((found & VectorRanks256.EQUAL) != 0) {
      return false;
    }
    if ((found & VectorRanks256.MISSING) != 0) {
      if (wide) {
        VectorRanks.placeMissing(values, first, rows, rankOfMissing, places, scratch.lines);
      } else {
        VectorRanks256.placeMissing(values, first, rows, rankOfMissing, places, scratch.lines);
      }
    }
    return true;
  }

  long bytes() {
    return 4L * heaps.length + 8L * levels.length;
  }
}
