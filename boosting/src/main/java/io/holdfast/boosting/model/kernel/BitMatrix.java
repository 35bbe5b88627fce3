package io.holdfast.boosting.model.kernel;

/** Square matrices of bits, 64 by 64: bit c of word r is the entry in row r and column c. */
final class BitMatrix {
  private BitMatrix() {}

  /** Exchanges rows and columns, by exchanging ever smaller off-diagonal quarters. */
  static void transpose(long[] rows) {
    long mask = 0xFFFF_FFFFL;
    for (int size = 32; size > 0; size >>= 1, mask ^= mask << size) {
      for (int row = 0; row < Long.SIZE; row = (row + size + 1) & -size - 1) {
        long change = (rows[row] >>> size ^ rows[row + size]) & mask;
        rows[row] ^= change << size;
        rows[row + size] ^= change;
      }
    }
  }
}
