package io.holdfast.boosting.linear;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.ScalarObjective;

/**
 * A loss of residuals without curvature (absolute, quantile), its kink rounded. Owned by one
 * thread.
 */
final class SmoothedQuantile implements SmoothLoss {
  /*
   * Of the residual r = y − f the α-quantile's loss is ½ (|r| + (2α − 1) r), times 2 for absolute. Here
   * |r| is √(r² + ε²), ε a thousandth of the mean absolute residual at the start. It lies below the
   * parabola of curvature 1/√(r² + ε²) that touches it, so a minimum of the parabolas never has a
   * higher loss (Hunter & Lange 2000).
   */
  private static final double ROUNDED = 1e-3;
  private static final double SMALLEST_GAIN = 1e-9;

  private final double factor;
  private final double tilt; // 2α − 1
  private final double epsilon;
  private final double[] labels;
  private final double[] weights;
  private final double[] residuals;

  /** The loss of these rows; {@code start} is a raw score to measure residuals from. */
  SmoothedQuantile(ScalarObjective objective, Rows rows, double start) {
    double alpha = objective.leafQuantile().orElseThrow();
    factor = objective.loss(1, 0) / alpha;
    tilt = 2 * alpha - 1;
    labels = new double[rows.size()];
    weights = new double[rows.size()];
    residuals = new double[rows.size()];
    double sum = 0;
    double weight = 0;
    for (int row = 0; row < labels.length; row++) {
      labels[row] = rows.label(row);
      weights[row] = rows.weight(row);
      sum += weights[row] * Math.abs(labels[row] - start);
      weight += weights[row];
    }
    epsilon = sum > 0 ? ROUNDED * sum / weight : 1;
  }

  @Override
  public double evaluate(double[] scores) {
    double sum = 0;
    for (int row = 0; row < labels.length; row++) {
      residuals[row] = labels[row] - scores[row];
      sum += weights[row] * (size(residuals[row]) + tilt * residuals[row]);
    }
    return 0.5 * factor * sum;
  }

  @Override
  public void gradients(double[] target) {
    for (int row = 0; row < labels.length; row++) {
      double slope = residuals[row] / size(residuals[row]) + tilt;
      target[row] = -0.5 * factor * weights[row] * slope;
    }
  }

  @Override
  public void curvature(
      int[] outputs, Design design, double ridge, double[] matrix, double[] scale) {
    double[] curvature = new double[labels.length];
    for (int row = 0; row < labels.length; row++) {
      curvature[row] = 0.5 * factor * weights[row] / size(residuals[row]);
    }
    design.gram(curvature, matrix);
    int columns = design.columns();
    for (int j = 0; j < columns; j++) {
      scale[j] = matrix[j * columns + j];
    }
    SmoothLoss.mirror(matrix, columns);
  }

  private double size(double residual) {
    return StrictMath.sqrt(residual * residual + epsilon * epsilon);
  }

  @Override
  public boolean quadratic() {
    return false;
  }

  @Override
  public double smallestGain() {
    return SMALLEST_GAIN;
  }
}
