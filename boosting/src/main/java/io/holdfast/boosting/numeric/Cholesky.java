package io.holdfast.boosting.numeric;

/** Solves symmetric positive definite systems, row-major. Stateless; arrays are the caller's. */
public final class Cholesky {
  private static final int ROWS = 4; // whose sums go side by side, each in its own order
  private static final double PIVOT_FLOOR = 1e-13; // of a diagonal entry: smaller pivots are noise

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
      while (first[i] < i && matrix[i * n + first[i]] == 0) {
        first[i]++;
      }
    }
    for (int block = 0; block < n; block += ROWS) {
      int end = Math.min(block + ROWS, n);
      boolean together = end - block == ROWS && alike(first, block);
      if (together) {
        eliminate(matrix, n, block, first);
      }
      for (int i = block; i < end; i++) {
        if (!finish(matrix, n, i, together ? block : first[i], first)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether four rows begin at the same place, before all of them. */
  private static boolean alike(int[] first, int block) {
    int start = first[block];
    return start < block
        && first[block + 1] == start
        && first[block + 2] == start
        && first[block + 3] == start;
  }

  /** The entries of four rows left of their block: as in {@link #finish}, four sums at a time. */
  private static void eliminate(double[] matrix, int n, int block, int[] first) {
    int row0 = block * n;
    int row1 = row0 + n;
    int row2 = row1 + n;
    int row3 = row2 + n;
    for (int j = first[block]; j < block; j++) {
      double sum0 = matrix[row0 + j];
      double sum1 = matrix[row1 + j];
      double sum2 = matrix[row2 + j];
      double sum3 = matrix[row3 + j];
      for (int k = Math.max(first[block], first[j]); k < j; k++) {
        double entry = matrix[j * n + k];
        sum0 -= matrix[row0 + k] * entry;
        sum1 -= matrix[row1 + k] * entry;
        sum2 -= matrix[row2 + k] * entry;
        sum3 -= matrix[row3 + k] * entry;
      }
      double pivot = matrix[j * n + j];
      matrix[row0 + j] = sum0 / pivot;
      matrix[row1 + j] = sum1 / pivot;
      matrix[row2 + j] = sum2 / pivot;
      matrix[row3 + j] = sum3 / pivot;
    }
  }

  /** The entries of a row from {@code from} on; returns whether its pivot is above 0. */
  private static boolean finish(double[] matrix, int n, int i, int from, int[] first) {
    for (int j = from; j <= i; j++) {
      double sum = matrix[i * n + j];
      for (int k = Math.max(first[i], first[j]); k < j; k++) {
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
    return true;
  }

  /** As {@link #factor}; overwrites {@code vector} with the solution if the matrix is definite. */
  public static boolean factorAndSolve(double[] matrix, int n, double[] vector) {
    boolean definite = factor(matrix, n);
    if (definite) {
      solve(matrix, n, vector);
    }
    return definite;
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
