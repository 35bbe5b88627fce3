package io.holdfast.boosting.model.kernel;

/** Which loops a compiled scorer runs; all give the same bits. */
enum Loops {
  /** Without vectors. */
  PLAIN,
  /** By vectors, which must be there, compiled or not. */
  VECTOR,
  /** By vectors once they are there, compiled, and found to be faster; else without. */
  FASTEST
}
