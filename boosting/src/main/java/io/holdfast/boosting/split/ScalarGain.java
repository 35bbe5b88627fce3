package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Totals;

/** The gain with one value a leaf, leaves not coupled. Channels are gradient and hessian. */
final class ScalarGain extends SplitGain {
  /*
   * gain = ½ [score(left) + score(right) − score(parent)] − α with score = T(G)²/(S + λ₂).
   *
   * With bounds on the steps, or a direction between them, each side takes the best step β within its
   * bounds, and its score is the gain of that step: −(2Gβ + (S + λ₂)β² + 2λ₁|β|). Without bounds
   * both are the same.
   */
  private double totalGradient;
  private double totalHessian;
  private double parentScore;
  private double lower;
  private double upper;
  private boolean bounded;

  ScalarGain(Penalties penalties) {
    super(penalties);
  }

  @Override
  void enter(Totals total, double leafLower, double leafUpper) {
    totalGradient = total.sums()[0];
    totalHessian = total.sums()[1];
    lower = leafLower;
    upper = leafUpper;
    bounded = lower > Double.NEGATIVE_INFINITY || upper < Double.POSITIVE_INFINITY;
    parentScore =
        bounded
            ? scoreOf(totalGradient, totalHessian, step(totalGradient, totalHessian))
            : score(totalGradient, totalHessian);
  }

  /** Whether {@link #gain(double, double)} is the gain of splits without a direction. */
  boolean unbounded() {
    return !bounded;
  }

  double gain(double gradient, double hessian) {
    return 0.5
            * (score(gradient, hessian)
                + score(totalGradient - gradient, totalHessian - hessian)
                - parentScore)
        - price;
  }

  @Override
  double gain(double[] group, int direction) {
    if (!bounded && direction == 0) {
      return gain(group[0], group[1]);
    }
    double step = step(group[0], group[1]);
    double otherGradient = totalGradient - group[0];
    double otherHessian = totalHessian - group[1];
    double otherStep = step(otherGradient, otherHessian);
    if (direction * (otherStep - step) < 0) {
      return REFUSED;
    }
    return 0.5
            * (scoreOf(group[0], group[1], step)
                + scoreOf(otherGradient, otherHessian, otherStep)
                - parentScore)
        - price;
  }

  @Override
  double middle(double[] group) {
    return 0.5
        * (step(group[0], group[1]) + step(totalGradient - group[0], totalHessian - group[1]));
  }

  @Override
  double curvature(double[] sums) {
    return sums[1];
  }

  private double step(double gradient, double hessian) {
    double curvature = hessian + lambda2;
    double step = curvature > 0 ? -soft(gradient) / curvature : 0;
    return Math.min(Math.max(step, lower), upper);
  }

  private double scoreOf(double gradient, double hessian, double step) {
    double curvature = Math.max(hessian + lambda2, 0);
    return -(2 * gradient * step + curvature * step * step + 2 * lambda1 * Math.abs(step));
  }
}
