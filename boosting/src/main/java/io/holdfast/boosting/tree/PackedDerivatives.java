package io.holdfast.boosting.tree;

import io.holdfast.boosting.numeric.Buffers;
import org.jspecify.annotations.Nullable;

/** Gradient, hessian and count of each row of a tree in one long. Owned by the growing thread. */
final class PackedDerivatives {
  /*
   * The gradient field has to hold the sums of the positive and of the negative gradients, the
   * hessian field the sum of all. These sums are taken in fixed point first, so that the units do not
   * hang on the order of the rows either. Gradient and hessian get half each of the bits that the
   * count leaves, but no more than let the split scan multiply them exactly in doubles.
   *
   * A row has few bits where rows are many. While a mean gradient is FINE units or more each is taken
   * to the nearest, which is off by less than 1% of that. Where it is fewer, the nearest would make
   * all small ones alike nothing: there a number is taken up or down by a draw that hangs on the
   * row's number, up as often as it is far from the unit below. Sums are then right on average, and
   * off by less than the rows that happen to be in the window make them: with a mean of one unit,
   * which is the least that is taken, the variance of a sum grows by a sixth at most.
   */
  private static final int EXACT_BITS = 53; // of a product
  private static final double FINE = 64; // units of a mean gradient; of a mean hessian half of it
  private static final double LEAST = 1;

  /** Of each row; meaningful for those that were taken. */
  final long[] cells;

  private long total;

  private FixedPoint gradientSteps = FixedPoint.of(0, 0);
  private FixedPoint hessianSteps = FixedPoint.of(0, 0);
  private double largestGradient;
  private double leastHessian;
  private double largestHessian;
  private double largestSum; // of the positive or of the negative gradients
  private double magnitudes;
  private double hessianSum;

  PackedDerivatives(int rows, Buffers buffers) {
    cells = buffers.longs(rows);
  }

  /** Takes the derivatives of these rows, if they can be packed well enough; else returns null. */
  @Nullable PackedLayout take(double[] gradients, double[] hessians, RowPartition sample) {
    if (!measure(gradients, hessians, sample)) {
      return null;
    }
    int size = sample.size();
    int countBits = Long.SIZE - Long.numberOfLeadingZeros(size);
    if (leastHessian == largestHessian) {
      // So many bits that there is no need to know the sum.
      int bits = Math.min(Long.SIZE - countBits - 1, EXACT_BITS - countBits);
      gradientSteps = steps(largestGradient * size, bits, 0.5 * size);
      pack(gradients, sample, countBits);
      return new PackedLayout(countBits, 0, gradientSteps.unit, largestHessian);
    }
    sum(gradients, hessians, sample);
    int hessianBits = (Long.SIZE - countBits) / 2;
    int gradientBits = Long.SIZE - countBits - hessianBits - 1; // and a sign
    gradientBits = Math.min(gradientBits, EXACT_BITS - hessianBits);
    gradientSteps = steps(largestSum, gradientBits, 0.5 * size);
    hessianSteps = steps(hessianSum, hessianBits, 0.5 * size);
    boolean fine = mean(FINE, size);
    if (!fine) {
      gradientSteps = steps(largestSum, gradientBits, size);
      hessianSteps = steps(hessianSum, hessianBits, size);
      if (!mean(LEAST, size)) {
        return null;
      }
    }
    var layout = new PackedLayout(countBits, hessianBits, gradientSteps.unit, hessianSteps.unit);
    if (fine) {
      pack(gradients, hessians, sample, layout);
    } else {
      packByDraw(gradients, hessians, sample, layout);
    }
    return layout;
  }

  /** Whether a mean gradient is that many units at least, and a mean hessian half of it. */
  private boolean mean(double units, int size) {
    return magnitudes >= units * size * gradientSteps.unit
        && hessianSum >= 0.5 * units * size * hessianSteps.unit;
  }

  /** Finds the ranges; returns whether all is finite, and no hessian negative. */
  private boolean measure(double[] gradients, double[] hessians, RowPartition sample) {
    double gradient = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    double finite = 0; // or NaN
    int[] rows = sample.rows;
    for (int k = 0; k < sample.size(); k++) {
      int row = rows[k];
      double g = gradients[row];
      double h = hessians[row];
      finite += 0 * g + 0 * h;
      double magnitude = Math.abs(g);
      if (magnitude > gradient) {
        gradient = magnitude;
      }
      if (h > most) {
        most = h;
      }
      if (h < least) {
        least = h;
      }
    }
    largestGradient = gradient;
    leastHessian = least;
    largestHessian = most;
    gradientSteps = FixedPoint.ofFew(gradient, sample.size());
    hessianSteps = FixedPoint.ofFew(most, sample.size());
    return finite == 0 && least >= 0 && most > 0 && gradientSteps.usable() && hessianSteps.usable();
  }

  private void sum(double[] gradients, double[] hessians, RowPartition sample) {
    long sum = 0;
    long magnitude = 0;
    long hessian = 0;
    FixedPoint gradientUnits = gradientSteps;
    FixedPoint hessianUnits = hessianSteps;
    int[] rows = sample.rows;
    for (int k = 0; k < sample.size(); k++) {
      int row = rows[k];
      long steps = gradientUnits.fewSteps(gradients[row]);
      sum += steps;
      magnitude += Math.abs(steps);
      hessian += hessianUnits.fewSteps(hessians[row]);
    }
    // The larger one of the sums of the positive and of the negative ones, rounded up.
    long rounded = sample.size();
    largestSum = 0.5 * (magnitude + Math.abs(sum) + rounded) * gradientUnits.unit;
    magnitudes = magnitude * gradientUnits.unit;
    hessianSum = (hessian + rounded) * hessianUnits.unit;
  }

  /** Units of which {@code sum}, and {@code slack} more for rounding, fit into that many bits. */
  private static FixedPoint steps(double sum, int bits, double slack) {
    return FixedPoint.ofSum(sum, Math.max(1, Math.scalb(1.0, bits) - 1 - slack));
  }

  /** The sum of the cells of the rows that were taken last. */
  long total() {
    return total;
  }

  private void pack(double[] gradients, RowPartition sample, int countBits) {
    FixedPoint units = gradientSteps;
    int[] rows = sample.rows;
    long sum = 0;
    for (int k = 0; k < sample.size(); k++) {
      int row = rows[k];
      long cell = (units.fewSteps(gradients[row]) << countBits) + 1;
      cells[row] = cell;
      sum += cell;
    }
    total = sum;
  }

  private void pack(
      double[] gradients, double[] hessians, RowPartition sample, PackedLayout layout) {
    int gradientShift = layout.gradientShift();
    int hessianShift = layout.hessianShift();
    FixedPoint gradientUnits = gradientSteps;
    FixedPoint hessianUnits = hessianSteps;
    int[] rows = sample.rows;
    long sum = 0;
    for (int k = 0; k < sample.size(); k++) {
      int row = rows[k];
      long cell =
          (gradientUnits.fewSteps(gradients[row]) << gradientShift)
              + (hessianUnits.fewSteps(hessians[row]) << hessianShift)
              + 1;
      cells[row] = cell;
      sum += cell;
    }
    total = sum;
  }

  private void packByDraw(
      double[] gradients, double[] hessians, RowPartition sample, PackedLayout layout) {
    int gradientShift = layout.gradientShift();
    int hessianShift = layout.hessianShift();
    FixedPoint gradientUnits = gradientSteps;
    FixedPoint hessianUnits = hessianSteps;
    int[] rows = sample.rows;
    long sum = 0;
    for (int k = 0; k < sample.size(); k++) {
      int row = rows[k];
      int draw = draw(row);
      long gradient = gradientUnits.fewSteps(gradients[row], centred(draw >>> 16));
      long hessian = hessianUnits.fewSteps(hessians[row], centred(draw & 0xFFFF));
      long cell = (gradient << gradientShift) + (hessian << hessianShift) + 1;
      cells[row] = cell;
      sum += cell;
    }
    total = sum;
  }

  /** Between −½ and ½, which it never is: whole numbers stay what they are. */
  private static double centred(int bits) {
    return (bits - 32767.5) * 0x1p-16;
  }

  /** As good as random, and always the same for a row. */
  private static int draw(int row) { // the finaliser of MurmurHash3
    int mixed = (row + 1) * 0x9E3779B1;
    mixed = (mixed ^ (mixed >>> 16)) * 0x85EBCA6B;
    mixed = (mixed ^ (mixed >>> 13)) * 0xC2B2AE35;
    return mixed ^ (mixed >>> 16);
  }
}
