package io.holdfast.boosting.ada;

import io.holdfast.boosting.model.Tree;

/** A tree without leaf values, and where the rows are in it. */
interface Structure {

  /** How many leaves there are. */
  int leaves();

  /** The leaf of each row, drawn or not; a copy. */
  int[] leafOf();

  /**
   * The tree with these leaf values.
   *
   * @param values of leaf 0, then of leaf 1; {@code outputs} of each
   * @param covers weight of the rows in each leaf
   */
  Tree withLeafValues(double[] values, int outputs, double[] covers);
}
