package io.holdfast.boosting.model.kernel;

/**
 * Adds the values of trees' leaves to rows' sums, where leaf numbers are bytes of longs, the lowest
 * first, in the order of the sums. Stateless.
 */
final class LeafSums {
  /*
   * Plain loops, of two trees, which are still added one after the other. What they wait for is loads
   * and checks of bounds, so eight rows' leaves are loaded at once, and a table whose length is a
   * power of 2 is asked at "leaf & length - 1", for which the compiler checks nothing.
   *
   * 512 rows, a row and tree: 0.35 ns; with leaves loaded one by one and bounds checked 0.46, of four
   * trees; leaves of eight rows and four trees at once 0.42 to 1.0, since registers are too few. In C,
   * where they suffice, four trees take 0.28, a gathering loop 0.5, permutations of values 0.62.
   */
  private static final int ROWS = BlockScratch.ROWS;
  private static final int EIGHTHS = ROWS / Byte.SIZE;
  private static final int LEAF = VectorSlices.LEAVES - 1;

  private LeafSums() {}

  /** Adds a tree's values to all of a block's sums. */
  static void add(double[] values, int first, long[] leaves, double[] sums, int sum) {
    for (int k = 0; k < EIGHTHS; k++) {
      addEight(values, first, leaves[k], sums, sum + k * Byte.SIZE);
    }
  }

  /** The same for one of eight trees and the sums of one word's rows. */
  static void addWord(
      double[] values, int first, long[] leaves, int ofEight, double[] sums, int sum) {
    for (int k = 0; k < EIGHTHS; k += Byte.SIZE) {
      addEight(values, first, leaves[k + ofEight], sums, sum + k * Byte.SIZE);
    }
  }

  private static void addEight(double[] values, int first, long leaves, double[] sums, int sum) {
    long rest = leaves;
    for (int k = 0; k < Byte.SIZE; k++, rest >>>= Byte.SIZE) {
      sums[sum + k] += values[first + ((int) rest & LEAF)];
    }
  }

  /**
   * Adds the values of two trees to all of a block's sums; the leaves of the second follow those of
   * the first.
   *
   * @param a values of the first, of a length that is a power of 2
   */
  static void addTwo(double[] a, double[] b, long[] leaves, double[] sums, int sum) {
    for (int k = 0; k < EIGHTHS; k++) {
      long ofA = leaves[k];
      long ofB = leaves[k + EIGHTHS];
      int at = sum + k * Byte.SIZE;
      for (int row = 0; row < Byte.SIZE; row++) {
        sums[at + row] =
            sums[at + row] + a[(int) ofA & (a.length - 1)] + b[(int) ofB & (b.length - 1)];
        ofA >>>= Byte.SIZE;
        ofB >>>= Byte.SIZE;
      }
    }
  }

  /** The same for two of eight trees and the sums of one word's rows. */
  static void addTwoToWord(
      double[] a, double[] b, long[] leaves, int ofEight, double[] sums, int sum) {
    for (int k = 0; k < EIGHTHS; k += Byte.SIZE) {
      long ofA = leaves[k + ofEight];
      long ofB = leaves[k + ofEight + 1];
      int at = sum + k * Byte.SIZE;
      for (int row = 0; row < Byte.SIZE; row++) {
        sums[at + row] =
            sums[at + row] + a[(int) ofA & (a.length - 1)] + b[(int) ofB & (b.length - 1)];
        ofA >>>= Byte.SIZE;
        ofB >>>= Byte.SIZE;
      }
    }
  }
}
