package io.holdfast.boosting.tree;

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
  private boolean equalHessians;
  private double hessianOfAll; // if they are equal
  private double largestSum; // of the positive or of the negative gradients
  private double magnitudes;
  private double hessianSum;

  PackedDerivatives(int rows) {
    cells = new long[rows];
  }

  /** Takes the derivatives of these rows, if they can be packed well enough; else returns null. */
  @Nullable PackedLayout take(double[] gradients, double[] hessians, int[] rows) {
    if (!measure(gradients, hessians, rows)) {
      return null;
    }
    sum(gradients, hessians, rows);
    int size = rows.length;
    int countBits = Long.SIZE - Long.numberOfLeadingZeros(size);
    int hessianBits = equalHessians ? 0 : (Long.SIZE - countBits) / 2;
    int gradientBits = Long.SIZE - countBits - hessianBits - 1; // and a sign
    if (equalHessians) {
      gradientBits = Math.min(gradientBits, EXACT_BITS - countBits);
      gradientSteps = steps(largestSum, gradientBits, size);
      pack(gradients, rows);
      return new PackedLayout(countBits, 0, gradientSteps.unit, hessianOfAll);
    }
    gradientBits = Math.min(gradientBits, EXACT_BITS - hessianBits);
    gradientSteps = steps(largestSum, gradientBits, size);
    hessianSteps = steps(hessianSum, hessianBits, size);
    if (magnitudes < MEAN_STEPS * size * gradientSteps.unit
        || hessianSum < MEAN_STEPS / 2 * size * hessianSteps.unit) {
      return null;
    }
    var layout = new PackedLayout(countBits, hessianBits, gradientSteps.unit, hessianSteps.unit);
    pack(gradients, hessians, rows, layout);
    return layout;
  }

  /** Finds the ranges; returns whether all is finite, and no hessian negative. */
  private boolean measure(double[] gradients, double[] hessians, int[] rows) {
    double gradient = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    double finite = 0; // or NaN
    for (int row : rows) {
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
    equalHessians = least == most;
    hessianOfAll = most;
    gradientSteps = FixedPoint.of(gradient, rows.length);
    hessianSteps = FixedPoint.of(most, rows.length);
    return finite == 0 && least >= 0 && most > 0 && gradientSteps.usable() && hessianSteps.usable();
  }

  private void sum(double[] gradients, double[] hessians, int[] rows) {
    long positive = 0;
    long negative = 0;
    long hessian = 0;
    for (int row : rows) {
      long steps = gradientSteps.steps(gradients[row]);
      positive += Math.max(steps, 0);
      negative -= Math.min(steps, 0);
      hessian += hessianSteps.steps(hessians[row]);
    }
    largestSum = Math.max(positive, negative) * gradientSteps.unit;
    magnitudes = (positive + negative) * gradientSteps.unit;
    hessianSum = hessian * hessianSteps.unit;
  }

  /** Units of which {@code sum}, and half of one a row for rounding, fit into that many bits. */
  private static FixedPoint steps(double sum, int bits, int rows) {
    return FixedPoint.ofSum(sum, Math.max(1, Math.scalb(1.0, bits) - 1 - 0.5 * rows));
  }

  private void pack(double[] gradients, int[] rows) {
    int countBits = Long.SIZE - Long.numberOfLeadingZeros(rows.length);
    for (int row : rows) {
      cells[row] = (gradientSteps.steps(gradients[row]) << countBits) + 1;
    }
  }

  private void pack(double[] gradients, double[] hessians, int[] rows, PackedLayout layout) {
    int gradientShift = layout.gradientShift();
    int hessianShift = layout.hessianShift();
    for (int row : rows) {
      cells[row] =
          (gradientSteps.steps(gradients[row]) << gradientShift)
              + (hessianSteps.steps(hessians[row]) << hessianShift)
              + 1;
    }
  }
}
