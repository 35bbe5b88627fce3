package io.holdfast.boosting.scoring;

/** Scratch of scoring a block. Owned by one thread; grows to its largest model. */
final class BlockScratch {
  /** Rows of a block at most: eight words of row bits. */
  static final int ROWS = 512;

  static final int WORDS = ROWS / Long.SIZE;

  /** Leaves of a tree at most: their numbers are bytes. */
  static final int LEAVES = 256;

  final FeatureBlock block = new FeatureBlock();
  final double[] column = new double[ROWS];
  final int[] ranks = new int[ROWS];
  final long[] lines = new long[Long.SIZE];
  long[] missing = new long[0]; // rows of each feature with copied tests
  boolean copied; // whether copied tests differ in this block
  final long[] reach = new long[LEAVES * WORDS];
  final long[] planes = new long[4 * 7 * WORDS]; // of 16 leaves each
  final long[] leaves = new long[2 * ROWS / Long.BYTES]; // of two trees, or of eight and one word
  final byte[] bytes = new byte[ROWS]; // ranks
  final long[] equal = new long[LEAVES]; // rows, of each eighth bound
  final long[] above = new long[LEAVES];
  long[] masks = new long[0];
  double[] sums = new double[0]; // of output k from k * ROWS on
  double[] features = new double[0];
  double[] one = new double[0];

  /** Where the sum of a row is: sums have the order in which labels are read. */
  private static int place(int row) {
    return (row & 7) << 6 | row >> 3;
  }

  /** Puts the sums of {@code size} rows in their places. */
  static void place(double[] source, int from, int size, double[] sums, int at) {
    for (int row = 0; row < size; row++) {
      sums[at + place(row)] = source[from + row];
    }
  }

  /** Puts sums back in the order of their rows. */
  static void takeBack(double[] sums, int at, int size, double[] target, int to) {
    for (int row = 0; row < size; row++) {
      target[to + row] = sums[at + place(row)];
    }
  }

  void require(int maskSlots, int outputs, int width) {
    if (missing.length < width * WORDS) {
      missing = new long[width * WORDS];
    }
    int needed = (maskSlots + WORDS) * WORDS; // VectorSlices.above writes behind the last
    if (masks.length < needed) {
      masks = new long[needed];
    }
    if (one.length < outputs) {
      sums = new double[outputs * ROWS];
      one = new double[outputs];
    }
    if (features.length < width) {
      features = new double[width];
    }
  }
}
