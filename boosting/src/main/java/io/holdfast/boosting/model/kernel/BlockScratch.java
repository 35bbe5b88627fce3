package io.holdfast.boosting.model.kernel;

/** What scoring a block writes to on the way. Owned by one thread; grows to its largest model. */
final class BlockScratch {
  /** Rows of a block at most: eight words of row bits. */
  static final int ROWS = 512;

  static final int WORDS = ROWS / Long.SIZE;

  /** Leaves of a tree at most: their numbers are bytes. */
  static final int LEAVES = 256;

  /** Bits of a leaf's number at most. */
  static final int PLANES = 8;

  final FeatureBlock block = new FeatureBlock();
  final double[] column = new double[ROWS];
  final float[] floats = new float[ROWS];
  final int[] ranks = new int[ROWS];
  final byte[] bytes = new byte[ROWS];
  final long[] lines = new long[Long.SIZE];
  final long[] reach = new long[LEAVES * WORDS];
  final long[] planes = new long[VectorSlices.PLANES_LENGTH];
  final long[] labels = new long[2 * PLANES * WORDS];
  long[] masks = new long[0];
  double[] sums = new double[0]; // of output k and row r at k * ROWS + place(r)
  double[] features = new double[0];
  double[] one = new double[0];

  /** Where a row's sum is: by its place in the byte, then by word, then by byte. */
  static int place(int row) {
    return (row & 7) << 6 | (row >> 6) << 3 | (row >> 3 & 7);
  }

  void require(int maskSlots, int outputs, int width) {
    if (masks.length < maskSlots * WORDS) {
      masks = new long[maskSlots * WORDS];
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
