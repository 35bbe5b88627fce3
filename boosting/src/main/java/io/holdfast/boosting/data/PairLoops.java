package io.holdfast.boosting.data;

/**
 * The inner loops of {@link PairSums}: lane l of bin b has its two sums at {@code 16 b + 2 l} and
 * the place after it. Stateless.
 */
sealed interface PairLoops permits ScalarPairLoops, VectorPairLoops {
  /** Adds pair k to the bins that {@code plane[from + k]} holds in its first lanes, 4 or 8. */
  void add(int slot, long[] plane, int from, long[] pairs, int n, int lanes);

  /**
   * Adds pair k to the bins that {@code columns[first, first + width)} have at k, and maybe to some
   * of the last lanes.
   */
  void addColumns(int slot, byte[][] columns, int first, int width, long[] pairs, int n);

  /** Copies the first sums of so many cells to {@code to}, and the second to {@code toSecond}. */
  void part(int slot, int cells, long[] target, int to, int toSecond);

  /** Adds them to what stands there. */
  void addTo(int slot, int cells, long[] target, int to, int toSecond);
}
