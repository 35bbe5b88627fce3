package io.holdfast.boosting.linear;

/**
 * The loss that a linear function minimises, apart from its penalty, with a quadratic model around
 * the scores last evaluated. Owned by one thread.
 */
sealed interface SmoothLoss permits AnchoredLoss, SmoothedQuantile {

  /** The loss at these raw scores, output by output; other methods refer to them. */
  double evaluate(double[] scores);

  /** Writes the slope of the loss, one entry an output and row. */
  void gradients(double[] target);

  /**
   * Writes the curvature in the coefficients of these outputs, output by output: the second
   * derivative, or an approximation where that is not positive semidefinite.
   *
   * @param ridge what the penalty adds to each diagonal entry but those of intercepts
   * @param matrix coefficients × coefficients, row-major; symmetric on return
   * @param scale each diagonal entry before anything is subtracted
   */
  void curvature(int[] outputs, Design design, double ridge, double[] matrix, double[] scale);

  /** Whether the curvature is the same everywhere. */
  boolean quadratic();

  /** The gain, as a part of the loss at the start, that ends the descent. */
  double smallestGain();

  /** Copies the lower triangle to the upper. */
  static void mirror(double[] matrix, int n) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < j; k++) {
        matrix[k * n + j] = matrix[j * n + k];
      }
    }
  }
}
