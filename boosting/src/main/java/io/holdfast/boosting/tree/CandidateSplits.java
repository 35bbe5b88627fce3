package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import java.util.Arrays;

/** Splits of one column that may be the best, with what goes left. Scratch: not thread-safe. */
final class CandidateSplits {
  private final int[] splits = new int[CoupledGain.MOST_WEIGHED];
  private final long[] lefts = new long[CoupledGain.MOST_WEIGHED];
  private final long[] contrasts = new long[CoupledGain.MOST_WEIGHED];
  private final double[] bounds = new double[CoupledGain.MOST_WEIGHED];
  private final boolean[] chosen = new boolean[CoupledGain.MOST_WEIGHED]; // by split
  private int count;

  /** Turns to the next column: none of its splits has been chosen. */
  void turn() {
    Arrays.fill(chosen, false);
  }

  void clear() {
    count = 0;
  }

  /**
   * Adds a split; those of lower bins come first.
   *
   * @param left the cell of what goes left
   * @param contrast the sum of its rows' contrasts, if there are any
   */
  void add(int lastLeftBin, boolean missingLeft, long left, long contrast) {
    lefts[count] = left;
    contrasts[count] = contrast;
    splits[count++] = 2 * lastLeftBin + (missingLeft ? 1 : 0);
  }

  int count() {
    return count;
  }

  /**
   * Takes all splits of a column that has no missing values and both sides of which have {@code
   * fewest} rows, as often as there are bins: for {@link #most} alone.
   *
   * @param from the cell of its first bin
   * @param further how much further on that of its contrasts stands
   * @param countMask what holds the rows of a cell
   * @param rows of the leaf
   */
  void takeAll(
      long[] histogram, int from, int further, int bins, long countMask, int fewest, int rows) {
    long sum = 0;
    long contrast = 0;
    int taken = 0;
    for (int bin = 0, at = from; bin < bins; bin++, at += PackedRows.LANES) {
      sum += histogram[at];
      contrast += histogram[at + further];
      int left = (int) (sum & countMask);
      if (left > rows - fewest) {
        break;
      }
      lefts[taken] = sum;
      contrasts[taken] = contrast;
      taken += left >= fewest ? 1 : 0;
    }
    count = taken;
  }

  /** The most that an allowed one of all splits gains; −∞ if none is allowed. */
  double most(CoupledLeaf leaf, PackedLayout layout, GroupContrasts groupContrasts) {
    // The hessian rises from split to split, so those that are allowed are neighbours.
    int first = 0;
    while (first < count && !allowed(first, leaf, layout)) {
      first++;
    }
    int end = count;
    while (end > first && !allowed(end - 1, leaf, layout)) {
      end--;
    }
    double[] found = leaf.gains().bounds(end, lefts, contrasts, layout, groupContrasts);
    return largest(found, first, end);
  }

  private static double largest(double[] values, int from, int to) {
    // None is NaN, and Math.max is slow; four at a time, as each waits for the one before.
    double most = Double.NEGATIVE_INFINITY;
    double most1 = most;
    double most2 = most;
    double most3 = most;
    int k = from;
    for (; k + 3 < to; k += 4) {
      most = values[k] > most ? values[k] : most;
      most1 = values[k + 1] > most1 ? values[k + 1] : most1;
      most2 = values[k + 2] > most2 ? values[k + 2] : most2;
      most3 = values[k + 3] > most3 ? values[k + 3] : most3;
    }
    for (; k < to; k++) {
      most = values[k] > most ? values[k] : most;
    }
    return Math.max(Math.max(most, most1), Math.max(most2, most3));
  }

  private boolean allowed(int k, CoupledLeaf leaf, PackedLayout layout) {
    return leaf.allows(layout.count(lefts[k]), layout.hessian(lefts[k]));
  }

  /** Finds out what each can gain at most; returns the place of the most, −1 if there are none. */
  int bound(CoupledGain gains, PackedLayout layout, GroupContrasts groupContrasts) {
    double[] found = gains.bounds(count, lefts, contrasts, layout, groupContrasts);
    System.arraycopy(found, 0, bounds, 0, count);
    int most = -1;
    for (int k = 0; k < count; k++) {
      most = most < 0 || bounds[k] > bounds[most] ? k : most;
    }
    return most;
  }

  /** What bounds are where none is known. */
  void boundless() {
    Arrays.fill(bounds, 0, count, Double.POSITIVE_INFINITY);
  }

  double bound(int k) {
    return bounds[k];
  }

  /** Has all added up that can gain so much, but those that were before; returns whether any. */
  boolean choose(double least, GroupCells cells) {
    cells.clear();
    boolean any = false;
    for (int k = 0; k < count; k++) {
      if (bounds[k] >= least && !chosen[splits[k]]) {
        chosen[splits[k]] = true;
        cells.add(splits[k] >> 1, (splits[k] & 1) != 0, lefts[k]);
        any = true;
      }
    }
    return any;
  }
}
