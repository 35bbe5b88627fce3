package io.holdfast.boosting.data;

/** The inner loop of {@link BinColumn#divide} for bins that are bytes. Stateless. */
sealed interface DivideLoop permits ScalarDivideLoop, VectorDivideLoop {
  /** Does so: arguments are its own, and the bin of each row. */
  int divide(byte[] bins, int[] rows, int from, int to, int[] right, int[] scratch, int first);
}
