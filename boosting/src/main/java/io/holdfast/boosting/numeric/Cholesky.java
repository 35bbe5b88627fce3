package io.holdfast.boosting.numeric;

/** Solves symmetric positive definite systems, row-major. Stateless; arrays are the caller's. */
public final class Cholesky {
  // A pivot this much smaller than its diagonal entry is rounding noise: the matrix is singular.
  private static final double PIVOT_FLOOR = 1e-13;

  private Cholesky() {}

  /**
   * Overwrites the lower triangle of {@code matrix} (n × n) with its factor L, where LLᵀ is the
   * matrix; the upper triangle is not read.
   *
   * @return whether the matrix is positive definite; if not, the triangle holds a part of a factor
   */
  public static boolean factor(double[] matrix, int n) {
    int[] first = new int[n]; // of each row the first entry that is not 0: blocks cost as blocks
    for (int i = 0; i < n; i++) {
      int start = 0;
      while (start < i && matrix[i * n + start] == 0) {
        start++;
      }
      first[i] = start;
      for (int j = start; j <= i; j++) {
        double sum = matrix[i * n + j];
        for (int k = Math.max(start, first[j]); k < j; k++) {
          sum -= matrix[i * n + k] * matrix[j * n + k];
        }
        if (j < i) {
          matrix[i * n + j] = sum / matrix[j * n + j];
          continue;
        }
        double diagonal = matrix[i * n + i];
        if (!(sum > PIVOT_FLOOR * diagonal) || !(diagonal < Double.POSITIVE_INFINITY)) {
          return false;
        }
        matrix[i * n + i] = StrictMath.sqrt(sum);
      }
    }
    return true;
  }

  /**
   * Overwrites {@code vector} with the solution, and the matrix' lower triangle with its factor.
   *
   * @return whether the matrix is positive definite; if not, the vector stays as it is
   */
  public static boolean factorAndSolve(double[] matrix, int n, double[] vector) {
    if (!factor(matrix, n)) {
      return false;
    }
    solve(matrix, n, vector);
    return true;
  }

  /** Overwrites {@code vector} with the solution, given the factor. */
  public static void solve(double[] factor, int n, double[] vector) {
    for (int i = 0; i < n; i++) {
      double sum = vector[i];
      for (int k = 0; k < i; k++) {
        sum -= factor[i * n + k] * vector[k];
      }
      vector[i] = sum / factor[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
      double sum = vector[i];
      for (int k = i + 1; k < n; k++) {
        sum -= factor[k * n + i] * vector[k];
      }
      vector[i] = sum / factor[i * n + i];
    }
  }
}
