package io.holdfast.boosting.numeric;

/** Gaussian elimination with partial pivoting, also for indefinite systems. Stateless. */
public final class Elimination {
  private Elimination() {}

  /**
   * Overwrites {@code vector} with the solution of {@code matrix} (n × n, row-major), and {@code
   * matrix} with scratch.
   *
   * @return whether there was a solution; if not, both arrays hold scratch
   */
  public static boolean solve(double[] matrix, int n, double[] vector) {
    for (int column = 0; column < n; column++) {
      int pivot = column;
      for (int row = column + 1; row < n; row++) {
        if (Math.abs(matrix[row * n + column]) > Math.abs(matrix[pivot * n + column])) {
          pivot = row;
        }
      }
      double largest = matrix[pivot * n + column];
      if (!(Math.abs(largest) > 0)) {
        return false;
      }
      swap(matrix, n, vector, pivot, column);
      for (int row = column + 1; row < n; row++) {
        double factor = matrix[row * n + column] / largest;
        for (int k = column; k < n; k++) {
          matrix[row * n + k] -= factor * matrix[column * n + k];
        }
        vector[row] -= factor * vector[column];
      }
    }
    for (int row = n - 1; row >= 0; row--) {
      double sum = vector[row];
      for (int k = row + 1; k < n; k++) {
        sum -= matrix[row * n + k] * vector[k];
      }
      vector[row] = sum / matrix[row * n + row];
    }
    return true;
  }

  private static void swap(double[] matrix, int n, double[] vector, int a, int b) {
    if (a == b) {
      return;
    }
    for (int k = 0; k < n; k++) {
      double value = matrix[a * n + k];
      matrix[a * n + k] = matrix[b * n + k];
      matrix[b * n + k] = value;
    }
    double value = vector[a];
    vector[a] = vector[b];
    vector[b] = value;
  }
}
