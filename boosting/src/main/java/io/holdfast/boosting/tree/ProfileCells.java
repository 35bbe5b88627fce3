package io.holdfast.boosting.tree;

import java.util.Arrays;

/**
 * The rows of a small leaf for bounds by {@link LeafProfile}: gradient, profile's number, hessian
 * and 1 of each in one long. Owned by the growing thread.
 *
 * <pre>gradient, signed | number times hessian | hessian | rows</pre>
 */
final class ProfileCells {
  /*
   * A bound may be a bit wider than what it bounds, so a leaf of few rows can have all four numbers in
   * one long, and its bins half the memory of two. Numbers are taken to the nearest of units that are
   * chosen leaf by leaf, and what the rows of any side are off by at most is known: by what all those
   * are that were rounded up, or all that were rounded down. ProfileBound is wider by that. Where all
   * hessians are equal the number of rows says what the hessian is.
   *
   * Of 400 rows a sum of hessians is off by some 50 of 2^18 units, which is a part in 5,000, and a sum
   * of gradients by some 50 of 2^16; of 100 rows by a fourth of that. d needs to be closer than c².
   */
  static final int MOST = 1_023; // rows
  private static final int GRADIENT_BITS = 17; // or one more: the others have the rest, in halves

  // Where the fields are, of the leaf at hand.
  long countMask;
  long hessianMask;
  long alongMask;
  int gradientShift;

  // What a field, as it stands in the long, is to be multiplied by.
  double hessianScale;
  double alongScale;
  double gradientScale;

  // What a sum is off by at most, in units of the tree's layout.
  double hessianError;
  double alongError;
  double gradientError;

  private final long[] hessians = new long[MOST];
  private final long[] alongs = new long[MOST];
  private final long[] gradients = new long[MOST];

  /**
   * Turns to a leaf of at most {@link #MOST} rows.
   *
   * @param profile which has been turned to it
   * @param cellOf of each row
   * @param target for what the rows add to their bins, from its start on
   */
  void enter(
      LeafProfile profile,
      PackedLayout layout,
      int[] rows,
      int from,
      int to,
      long[] cellOf,
      long[] target) {
    int count = to - from;
    read(profile, layout, rows, from, to, cellOf);
    int countBits = Long.SIZE - Long.numberOfLeadingZeros(count);
    countMask = (1L << countBits) - 1;
    int bits = (Long.SIZE - countBits - GRADIENT_BITS) / 2;
    Arrays.fill(target, 0, count, 1);
    int at = countBits;
    if (layout.hessianBits() == 0) {
      hessianMask = countMask;
      hessianScale = 1;
      hessianError = 0;
    } else {
      int shift = shift(hessians, count, bits);
      hessianError = add(hessians, count, shift, at, target);
      hessianMask = ((1L << bits) - 1) << at;
      hessianScale = Math.scalb(1.0, shift - at);
      at += bits;
    }
    int shift = shift(alongs, count, bits);
    alongError = add(alongs, count, shift, at, target);
    alongMask = ((1L << bits) - 1) << at;
    alongScale = Math.scalb(1.0, shift - at);
    at += bits;
    gradientShift = at;
    shift = shift(gradients, count, Long.SIZE - 1 - at);
    gradientError = add(gradients, count, shift, at, target);
    gradientScale = Math.scalb(1.0, shift);
  }

  private void read(
      LeafProfile profile, PackedLayout layout, int[] rows, int from, int to, long[] cellOf) {
    int hessianShift = layout.hessianShift();
    int shift = layout.gradientShift();
    long mask = layout.hessianMask();
    for (int k = from; k < to; k++) {
      int row = rows[k];
      long cell = cellOf[row];
      long hessian = cell >>> hessianShift & mask;
      hessians[k - from] = hessian;
      alongs[k - from] = profile.codeOf(row) * hessian;
      gradients[k - from] = cell >> shift;
    }
  }

  /** By how many bits numbers are to be shifted, so that sums over any of them have so many. */
  private static int shift(long[] numbers, int count, int bits) {
    long sum = 0;
    for (int k = 0; k < count; k++) {
      sum += Math.abs(numbers[k]);
    }
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(sum) - bits);
    return (sum >> shift) + count < 1L << bits ? shift : shift + 1;
  }

  /** Adds a field to the cells; returns what a sum over any of them is off by at most. */
  private static double add(long[] numbers, int count, int shift, int at, long[] target) {
    long half = 1L << shift >> 1;
    long off = 0;
    long magnitude = 0;
    for (int k = 0; k < count; k++) {
      long number = numbers[k];
      long rounded = (number + half) >> shift;
      long error = number - (rounded << shift);
      off += error;
      magnitude += Math.abs(error);
      target[k] += rounded << at;
    }
    return 0.5 * (magnitude + Math.abs(off));
  }
}
