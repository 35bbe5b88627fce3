package io.holdfast.boosting.scoring;

/** Which form of its loops a compiled scorer runs; all give the same bits. */
enum SimdMode {
  /** Without vectors. */
  PLAIN,
  /** By vectors, which must be there, compiled or not. */
  VECTOR,
  /** By vectors once they are there, compiled, and found to be faster; else without. */
  FASTEST;

  /** Whether vectors serve, now or later. */
  boolean mayBeVectors() {
    return this == FASTEST ? Vectors.present() : this == VECTOR;
  }

  /** Whether single rows are scored by vectors now. */
  boolean rowsByVectors() {
    return this == FASTEST ? Vectors.serveRows() : this == VECTOR;
  }

  /** Whether blocks are scored by vectors now. */
  boolean blocksByVectors() {
    return this == FASTEST ? Vectors.serveBlocks() : this == VECTOR;
  }
}
