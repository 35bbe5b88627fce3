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

  /** Whether vectors of 512 bits serve, now or later. */
  boolean mayBeWide() {
    return this == FASTEST ? Vectors.wide() : this == VECTOR || this == VECTOR_WITHOUT_BYTES;
  }

  /** Whether vectors of 256 bits serve, now or later. */
  boolean mayBe256() {
    return this == FASTEST ? Vectors.present() && !Vectors.wide() : this == VECTOR_256;
  }

  /** Whether single rows are scored by vectors now. */
  boolean rowsByVectors() {
    return this == FASTEST ? Vectors.serveRows() : this != PLAIN;
  }

  /** Whether vectors of 512 bits permute bytes now. */
  boolean permuteBytes() {
    return this == FASTEST ? Vectors.permuteBytes() : this == VECTOR;
  }

  /** The same, now or later. */
  boolean mayPermuteBytes() {
    return permuteBytes() || (this == FASTEST && !Vectors.settled());
  }

  /** Whether trees side by side serve now, if vectors do; wide ones need bytes to be permuted. */
  boolean serveLanes() {
    return !mayBeWide() || permuteBytes();
  }

  /** Whether blocks are scored by vectors of 512 bits now. */
  boolean blocksByWide() {
    return mayBeWide() && (this != FASTEST || Vectors.serveBlocks());
  }

  /** Whether blocks are scored by vectors of 256 bits now. */
  boolean blocksBy256() {
    return mayBe256() && (this != FASTEST || Vectors.serveBlocks());
  }
}
