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

  /**
   * A tree without leaf values.
   *
   * @param leafOf the leaf of each row, drawn or not
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and only this package sees it
  record Structure(int leaves, int[] leafOf, TreeMaker maker) {}

  /**
   * Makes a tree of leaf values, {@code outputs} a leaf, and of the weight of rows in each leaf.
   */
  interface TreeMaker {
    Tree of(double[] values, int outputs, double[] covers);
  }
}
