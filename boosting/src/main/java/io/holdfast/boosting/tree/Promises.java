package io.holdfast.boosting.tree;

import java.util.Arrays;

/**
 * What each column can gain at most, for a leaf whose search is put off. Owned by the growing
 * thread; others note promises while it waits for them.
 */
final class Promises {
  private static final double NOTHING = Double.NEGATIVE_INFINITY;

  private final double[] most; // by column
  private final boolean[] close; // whether it is known closely

  Promises(int columns) {
    most = new double[columns];
    close = new boolean[columns];
  }

  void clear() {
    Arrays.fill(most, NOTHING);
    Arrays.fill(close, false);
  }

  void promise(int column, double bound) {
    most[column] = bound;
  }

  /** Takes a first bound, which cannot be had closer. */
  void promiseClosely(int column, double bound) {
    most[column] = bound;
    close[column] = true;
  }

  /** Takes a bound that cannot be had closer, if it is any closer than the one before. */
  void bring(int column, double bound) {
    most[column] = Math.min(most[column], bound);
    close[column] = true;
  }

  /** Forgets what the column promised. */
  void done(int column) {
    most[column] = NOTHING;
  }

  double of(int column) {
    return most[column];
  }

  boolean close(int column) {
    return close[column];
  }

  /** Whether the column promises something that is not known closely. */
  boolean awaits(int column) {
    return most[column] > NOTHING && !close[column];
  }

  /** The column that promises most, the lowest of equal ones; −1 if none promises anything. */
  int best() {
    int best = -1;
    double largest = NOTHING;
    for (int column = 0; column < most.length; column++) {
      if (most[column] > largest) {
        largest = most[column];
        best = column;
      }
    }
    return best;
  }
}
