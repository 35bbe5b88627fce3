package io.holdfast.boosting.ada;

import io.holdfast.boosting.model.Tree;

/** Finds the structure of a tree for weighted rows. Owned by one thread. */
interface Learner extends AutoCloseable {

  /**
   * The structure for these weights.
   *
   * @param masses what each row weighs, 0 for one that was not drawn; their sum is 1
   * @param times how often each row counts towards the least number of rows in a leaf
   */
  Structure grow(double[] masses, int[] times);

  @Override
  default void close() {}

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
}
