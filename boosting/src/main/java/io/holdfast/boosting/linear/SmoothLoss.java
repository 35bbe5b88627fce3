package io.holdfast.boosting.linear;

/**
 * What a linear function descends, apart from its penalty: a loss of the rows' raw scores, and a
 * quadratic model of it around the scores last evaluated. Owned by one thread.
 */
sealed interface SmoothLoss permits AnchoredLoss, SmoothedQuantile {

  /** How many raw scores a row has. */
  int outputs();

  /** The loss at these raw scores, output by output; what follows is about them. */
  double evaluate(double[] scores);

  /** Writes the slope of the loss, one entry an output and row. */
  void gradients(double[] target);

  /**
   * Writes a curvature of the loss in the coefficients of some outputs, those of the first, then of
   * the next: the second derivative if that is positive semidefinite, or something like it that is.
   *
   * @param ridge what the penalty adds to each diagonal entry but those of intercepts
   * @param matrix coefficients × coefficients, row-major; symmetric on return
   * @param scale for each coefficient what its diagonal entry would be, had nothing been taken away
   */
  void curvature(int[] outputs, Design design, double ridge, double[] matrix, double[] scale);

  /** Whether the curvature is the same everywhere. */
  boolean quadratic();

  /** How small a gain, as a part of the loss at the start, ends the descent. */
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
