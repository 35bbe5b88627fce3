package io.holdfast.boosting.model.kernel;

/**
 * Adds the values of trees' leaves to rows' sums, where leaf numbers are bytes in the order of the
 * sums. Stateless.
 */
final class LeafSums {
  /*
   * Plain loops: a number and a value are loaded for each row and tree, and the sum once for several
   * trees, which are still added one after the other. 512 rows, a row and tree: 1.0 ns by one tree,
   * 0.75 by two, 0.67 by four; gcc's loop for four takes 0.55.
   */
  private static final int ROWS = BlockScratch.ROWS;

  private LeafSums() {}

  /** Adds a tree's values to all of a block's sums. */
  static void add(double[] values, int first, byte[] leaves, double[] sums, int sum) {
    for (int k = 0; k < ROWS; k++) {
      sums[sum + k] += values[first + leaves[k]];
    }
  }

  /** The same for trees {@code [tree, tree + 4)}; those of each have their leaves in turn. */
  static void addFour(
      double[] values, int[] firstValue, int tree, byte[] leaves, double[] sums, int sum) {
    int a = firstValue[tree];
    int b = firstValue[tree + 1];
    int c = firstValue[tree + 2];
    int d = firstValue[tree + 3];
    for (int k = 0; k < ROWS; k++) {
      sums[sum + k] =
          sums[sum + k]
              + values[a + leaves[k]]
              + values[b + leaves[ROWS + k]]
              + values[c + leaves[2 * ROWS + k]]
              + values[d + leaves[3 * ROWS + k]];
    }
  }

  /** Adds the values of one of eight trees to the sums of one word's rows. */
  static void addWord(
      double[] values, int first, byte[] leaves, int ofEight, double[] sums, int sum) {
    for (int place = 0; place < ROWS; place += Long.SIZE) {
      for (int k = place; k < place + Byte.SIZE; k++) {
        sums[sum + k] += values[first + leaves[Byte.SIZE * ofEight + k]];
      }
    }
  }

  /** The same for trees {@code [tree, tree + 8)}. */
  static void addEightToWord(
      double[] values, int[] firstValue, int tree, byte[] leaves, double[] sums, int sum) {
    int a = firstValue[tree];
    int b = firstValue[tree + 1];
    int c = firstValue[tree + 2];
    int d = firstValue[tree + 3];
    int e = firstValue[tree + 4];
    int f = firstValue[tree + 5];
    int g = firstValue[tree + 6];
    int h = firstValue[tree + 7];
    for (int place = 0; place < ROWS; place += Long.SIZE) {
      for (int k = place; k < place + Byte.SIZE; k++) {
        sums[sum + k] =
            sums[sum + k]
                + values[a + leaves[k]]
                + values[b + leaves[k + 8]]
                + values[c + leaves[k + 16]]
                + values[d + leaves[k + 24]]
                + values[e + leaves[k + 32]]
                + values[f + leaves[k + 40]]
                + values[g + leaves[k + 48]]
                + values[h + leaves[k + 56]];
      }
    }
  }
}
