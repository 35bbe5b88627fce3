package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearSolversTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 31})
  void solve_positiveDefinite_bothGiveTheSolution(int n) {
    var random = new SplittableRandom(n);
    double[] root = new double[n * n];
    double[] solution = new double[n];
    for (int k = 0; k < root.length; k++) {
      root[k] = random.nextDouble() - 0.5;
    }
    for (int k = 0; k < n; k++) {
      solution[k] = random.nextDouble() - 0.5;
    }
    double[] matrix = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          matrix[i * n + j] += root[i * n + k] * root[j * n + k];
        }
      }
      matrix[i * n + i] += 0.5;
    }
    double[] factor = matrix.clone();
    assertThat(Cholesky.factor(factor, n)).isTrue();
    double[] byCholesky = times(matrix, solution);
    Cholesky.solve(factor, n, byCholesky);
    assertThat(byCholesky).containsExactly(solution, within(1e-10));
    double[] byElimination = times(matrix, solution);
    assertThat(Elimination.solve(matrix.clone(), n, byElimination)).isTrue();
    assertThat(byElimination).containsExactly(solution, within(1e-10));
  }

  /** Rows that are taken together, and such that begin elsewhere. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 8, 11, 40, 63})
  void factor_anyRows_isTheFactorSumBySumToTheLastBit(int n) {
    for (int zeros = 0; zeros < 4; zeros++) {
      var random = new SplittableRandom(n);
      double[] matrix = new double[n * n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
          boolean zero = zeros > 0 && (zeros < 3 ? j < i / 8 * 8 / zeros : random.nextInt(3) > 0);
          matrix[i * n + j] = zero ? 0 : random.nextDouble() - 0.5;
        }
        matrix[i * n + i] = n;
      }
      double[] factor = matrix.clone();
      assertThat(Cholesky.factor(factor, n)).isTrue();
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          double sum = matrix[i * n + j];
          for (int k = 0; k < j; k++) {
            sum -= matrix[i * n + k] * matrix[j * n + k];
          }
          matrix[i * n + j] = j < i ? sum / matrix[j * n + j] : StrictMath.sqrt(sum);
        }
      }
      assertThat(factor).containsExactly(matrix);
    }
  }

  @Test
  void factor_indefiniteOrSingular_saysSo() {
    // The counterexample to a convex probit anchor loss: smallest eigenvalue −39.976.
    double[] indefinite = {48.357, 17.037, 17.037, -36.690};
    assertThat(Cholesky.factor(indefinite.clone(), 2)).isFalse();
    assertThat(Cholesky.factor(new double[] {1, 1, 1, 1}, 2)).isFalse();
    assertThat(Cholesky.factor(new double[] {0}, 1)).isFalse();
    assertThat(Cholesky.factor(new double[] {Double.NaN}, 1)).isFalse();
    double[] solution = times(indefinite, new double[] {1, -2});
    assertThat(Elimination.solve(indefinite.clone(), 2, solution)).isTrue();
    assertThat(solution).containsExactly(new double[] {1, -2}, within(1e-12));
    assertThat(Elimination.solve(new double[] {1, 1, 1, 1}, 2, new double[2])).isFalse();
  }

  @Test
  void solve_zeroOnTheDiagonal_pivots() {
    double[] vector = {3, 5};
    assertThat(Elimination.solve(new double[] {0, 1, 1, 0}, 2, vector)).isTrue();
    assertThat(vector).containsExactly(5, 3);
  }

  private static double[] times(double[] matrix, double[] vector) {
    int n = vector.length;
    double[] product = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        product[i] += matrix[i * n + j] * vector[j];
      }
    }
    return product;
  }
}
