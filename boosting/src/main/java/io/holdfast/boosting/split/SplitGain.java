package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Totals;

/**
 * The gain of splitting the rows of a leaf into a group and the others (docs/math.md, "Splits").
 * Scratch is reused: not thread-safe.
 */
abstract sealed class SplitGain permits ScalarGain, SplitGain.MultiOutputGain, AnchoredGain {
  /** The gain of a split that is not allowed. */
  static final double REFUSED = Double.NEGATIVE_INFINITY;

  /** The hessian that each category's mean is smoothed by. */
  static final double SMOOTHING = 10;

  final double lambda1;
  final double lambda2;
  final double price;

  SplitGain(Penalties penalties) {
    lambda1 = penalties.lambda1();
    lambda2 = penalties.lambda2();
    price = penalties.leafPrice();
  }

  /** Turns to a leaf, whose children's steps must be between {@code lower} and {@code upper}. */
  abstract void enter(Totals total, double lower, double upper);

  /**
   * The gain, price taken off, or {@link #REFUSED}.
   *
   * @param group channel sums of the group, which goes left if there is a direction
   * @param direction +1 if the step of the group may not exceed the others', −1 the other way round
   */
  abstract double gain(double[] group, int direction);

  /** Half-way between the steps of both children. */
  abstract double middle(double[] group);

  /** The sum of all curvature in some channel sums. */
  abstract double curvature(double[] sums);

  /** In how many orders categories are tried, to take groups from either end. */
  int orders() {
    return 1;
  }

  /** Whether no set of categories gains more than the best end of an order, few rows apart. */
  boolean ordersSayAll() {
    return true;
  }

  /** The hessian that an order goes by. */
  double hessian(int order, double[] sums, int firstChannel) {
    return sums[firstChannel + 2 * order + 1];
  }

  /**
   * Writes the sort keys of categories: G/H of each, shrunk towards the leaf's G/H by {@link
   * #SMOOTHING} more hessian, so that rare categories come in the middle.
   *
   * @param total channel sums of the leaf
   * @param sums by bin and channel
   * @param bins the first {@code count} are those whose keys are wanted
   * @param keys by bin
   */
  void keys(int order, double[] total, double[] sums, int[] bins, int count, double[] keys) {
    double leafHessian = hessian(order, total, 0);
    double mean = leafHessian > 0 ? total[2 * order] / leafHessian : 0;
    for (int k = 0; k < count; k++) {
      int first = bins[k] * total.length;
      double hessian = Math.max(hessian(order, sums, first), 0);
      keys[bins[k]] = (sums[first + 2 * order] + SMOOTHING * mean) / (hessian + SMOOTHING);
    }
  }

  /** T of docs/math.md: what λ₁ leaves of a gradient sum. */
  final double soft(double gradient) {
    if (lambda1 == 0 || Double.isNaN(gradient)) {
      return gradient;
    }
    return Math.abs(gradient) > lambda1 ? gradient - Math.copySign(lambda1, gradient) : 0;
  }

  /** T(G)²/(S + λ₂); 0 where the loss does not curve upwards. */
  final double score(double gradient, double hessian) {
    double curvature = hessian + lambda2;
    double slope = soft(gradient);
    return curvature > 0 ? slope * slope / curvature : 0;
  }

  /** Of K values a leaf. Channels are gradient and hessian of each output in turn. */
  static final class MultiOutputGain extends SplitGain {
    // Curvature between outputs is left out: the score of a side is the sum over its outputs.
    private final int outputs;
    private double[] total = {};
    private double parentScore;

    MultiOutputGain(Penalties penalties, int outputs) {
      super(penalties);
      this.outputs = outputs;
    }

    @Override
    void enter(Totals leafTotal, double lower, double upper) {
      total = leafTotal.sums();
      parentScore = 0;
      for (int k = 0; k < total.length; k += 2) {
        parentScore += score(total[k], total[k + 1]);
      }
    }

    @Override
    double gain(double[] group, int direction) {
      double scores = 0;
      for (int k = 0; k < group.length; k += 2) {
        scores +=
            score(group[k], group[k + 1]) + score(total[k] - group[k], total[k + 1] - group[k + 1]);
      }
      return 0.5 * (scores - parentScore) - price;
    }

    @Override
    double middle(double[] group) {
      return Double.NaN; // no order is asked of vectors
    }

    @Override
    double curvature(double[] sums) {
      double curvature = 0;
      for (int k = 1; k < sums.length; k += 2) {
        curvature += sums[k];
      }
      return curvature;
    }

    @Override
    int orders() {
      return outputs;
    }
  }
}
