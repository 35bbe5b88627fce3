package io.holdfast.boosting.ada;

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
}
