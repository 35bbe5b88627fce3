package io.holdfast.boosting.model.kernel;

/** Trees laid out to add their values for one row. Immutable; safe to share. */
interface RowTrees {
  /**
   * The score after trees {@code [first, end)}, one value each, have added to {@code score}.
   *
   * @param scratch with the row's ranks, by column
   */
  double add(double score, int first, int end, RowScratch scratch);

  /** Adds the values of trees {@code [first, end)} to {@code target[0, raw scores)}. */
  void addTo(double[] target, int first, int end, RowScratch scratch);

  /** What the arrays take, in bytes. */
  long bytes();
}
