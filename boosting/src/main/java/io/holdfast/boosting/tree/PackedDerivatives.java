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
   * A row has few bits where rows are many. With a mean gradient of MEAN_STEPS units a row is off by
   * 4% of that at most, upwards as often as downwards, which moves the gain of a split by far less
   * than the rows that happen to be in the window do. Coarser than that is refused.
   */
  private static final int EXACT_BITS = 53; // of a product
  private static final double MEAN_STEPS = 12;

  /** Of each row; meaningful for those that were taken. */
  final long[] cells;

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
      gradientSteps = steps(largestGradient * size, bits, size);
      pack(gradients, sample, countBits);
      return new PackedLayout(countBits, 0, gradientSteps.unit, largestHessian);
    }
    sum(gradients, hessians, sample);
    int hessianBits = (Long.SIZE - countBits) / 2;
    int gradientBits = Long.SIZE - countBits - hessianBits - 1; // and a sign
    gradientBits = Math.min(gradientBits, EXACT_BITS - hessianBits);
    gradientSteps = steps(largestSum, gradientBits, size);
    hessianSteps = steps(hessianSum, hessianBits, size);
    if (magnitudes < MEAN_STEPS * size * gradientSteps.unit
        || hessianSum < MEAN_STEPS / 2 * size * hessianSteps.unit) {
      return null;
    }
    var layout = new PackedLayout(countBits, hessianBits, gradientSteps.unit, hessianSteps.unit);
    pack(gradients, hessians, sample, layout);
    return layout;
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
    // The larger one of the sums of the positive and of the negative ones.
    largestSum = 0.5 * (magnitude + Math.abs(sum)) * gradientUnits.unit;
    magnitudes = magnitude * gradientUnits.unit;
    hessianSum = hessian * hessianUnits.unit;
  }

  /** Units of which {@code sum}, and half of one a row for rounding, fit into that many bits. */
  private static FixedPoint steps(double sum, int bits, int rows) {
    return FixedPoint.ofSum(sum, Math.max(1, Math.scalb(1.0, bits) - 1 - 0.5 * rows));
  }

  private void pack(double[] gradients, RowPartition sample, int countBits) {
    FixedPoint units = gradientSteps;
    int[] rows = sample.rows;
    for (int k = 0; k < sample.size(); k++) {
      int row = rows[k];
      cells[row] = (units.fewSteps(gradients[row]) << countBits) + 1;
    }
  }

  private void pack(
      double[] gradients, double[] hessians, RowPartition sample, PackedLayout layout) {
    int gradientShift = layout.gradientShift();
    int hessianShift = layout.hessianShift();
    FixedPoint gradientUnits = gradientSteps;
    FixedPoint hessianUnits = hessianSteps;
    int[] rows = sample.rows;
    for (int k = 0; k < sample.size(); k++) {
      int row = rows[k];
      cells[row] =
          (gradientUnits.fewSteps(gradients[row]) << gradientShift)
              + (hessianUnits.fewSteps(hessians[row]) << hessianShift)
              + 1;
    }
  }
}
