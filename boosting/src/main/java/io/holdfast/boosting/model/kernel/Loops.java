package io.holdfast.boosting.model.kernel;

/** Which loops a compiled scorer runs; all give the same bits. */
enum Loops {
  /** Without vectors. */
  PLAIN,
  /** By vectors of 512 bits, which must be there, compiled or not. */
  VECTOR,
  /** The same, as on machines that have no permutations of bytes. */
  VECTOR_WITHOUT_BYTES,
  /** By vectors of 256 bits, which must be there, compiled or not. */
  VECTOR_256,
  /** By vectors once they are there, compiled, and found to be faster; else without. */
  FASTEST;

  /** Whether vectors of 512 bits are asked for, whatever is faster. */
  boolean wide() {
    return this == VECTOR || this == VECTOR_WITHOUT_BYTES;
  }
}
