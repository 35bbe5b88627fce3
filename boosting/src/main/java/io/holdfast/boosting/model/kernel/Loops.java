package io.holdfast.boosting.model.kernel;

/** Which loops a compiled scorer runs; all give the same bits. */
enum Loops {
  /** Without vectors. */
  PLAIN,
  /** By vectors, which must be there, compiled or not. */
  VECTOR,
  /** The same, as on machines that have no permutations of bytes. */
  VECTOR_WITHOUT_BYTES,
  /** By vectors once they are there, compiled, and found to be faster; else without. */
  FASTEST
}
