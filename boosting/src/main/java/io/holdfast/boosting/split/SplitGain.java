package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Totals;

/**
 * What it gains to part the rows of a leaf into a group and the others (docs/math.md, "Splits").
 * Scratch is reused: not thread-safe.
 */
abstract sealed class SplitGain permits ScalarGain, SplitGain.MultiOutputGain, AnchoredGain {
  /** Of a split that is not allowed. */
  static final double REFUSED = Double.NEGATIVE_INFINITY;

  /** Hessian of the leaf's mean that each category's is smoothed by. */
  static final double SMOOTHING = 10;

  final double lambda1;
  final double lambda2;
  final double price;

  SplitGain(Penalties penalties) {
    lambda1 = penalties.lambda1();
    lambda2 = penalties.lambda2();
    price = penalties.leafPrice();
  }

  /**
   * Turns to a leaf.
   *
   * @param lower what the steps of its children must be at least
   * @param upper what they must be at most
   */
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
  abstract int orders();

  /** Whether no set gains more than the ends of some order do, but for what few rows can be. */
  boolean ordersSayAll() {
    return true;
  }

  /** The gradient that an order goes by. */
  abstract double gradient(int order, double[] sums, int firstChannel);

  /** The hessian that an order goes by. */
  abstract double hessian(int order, double[] sums, int firstChannel);

  /**
   * Writes what puts categories in order: G/H of each, drawn towards the leaf's own G/H as if
   * SMOOTHING more hessian of it had been seen, so that rare categories stand in the middle.
   *
   * @param total channel sums of the leaf
   * @param sums of the bins, {@code channels} each
   * @param bins whose keys are wanted: the first {@code count}
   * @param keys by bin
   */
  void keys(int order, double[] total, double[] sums, int[] bins, int count, double[] keys) {
    double leafHessian = hessian(order, total, 0);
    double mean = leafHessian > 0 ? gradient(order, total, 0) / leafHessian : 0;
    for (int k = 0; k < count; k++) {
      int first = bins[k] * total.length;
      double gradient = gradient(order, sums, first);
      double hessian = hessian(order, sums, first);
      keys[bins[k]] = (gradient + SMOOTHING * mean) / (Math.max(hessian, 0) + SMOOTHING);
    }
  }

  /** T of docs/math.md: what λ₁ leaves of a gradient sum. */
  final double soft(double gradient) {
    if (lambda1 == 0) {
      return gradient;
    }
    if (gradient > lambda1) {
      return gradient - lambda1;
    }
    if (gradient < -lambda1) {
      return gradient + lambda1;
    }
    return Double.isNaN(gradient) ? gradient : 0;
  }

  /** T(G)²/(S + λ₂); 0 where the loss does not curve upwards. */
  final double score(double gradient, double hessian) {
    double curvature = hessian + lambda2;
    if (!(curvature > 0)) {
      return 0;
    }
    double slope = soft(gradient);
    return slope * slope / curvature;
  }

  /** Of K values a leaf. Channels are gradient and hessian of each output in turn. */
  static final class MultiOutputGain extends SplitGain {
    /*
     * The curvature between outputs is left out: the score of a side is the sum of those of its
     * outputs. Categories are put in order by the ratio of each output, one after the other.
     */
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

    @Override
    double gradient(int order, double[] sums, int firstChannel) {
      return sums[firstChannel + 2 * order];
    }

    @Override
    double hessian(int order, double[] sums, int firstChannel) {
      return sums[firstChannel + 2 * order + 1];
    }
  }
}
