package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Totals;

/** Of K values a leaf. Channels are gradient and hessian of each output in turn. */
final class MultiOutputGain extends SplitGain {
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
