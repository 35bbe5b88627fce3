package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticNetTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void ridge_isTheSolutionOfTheNormalEquations(long seed) {
    Problem problem = new Problem(seed, 8, 20);
    double[] b = problem.minimise(new ElasticNet(0, 2.5, new int[8], false));
    DMatrixRMaj matrix = new DMatrixRMaj(8, 8, true, problem.matrix);
    for (int j = 1; j < 8; j++) {
      matrix.add(j, j, 2.5);
    }
    DMatrixRMaj expected = new DMatrixRMaj(8, 1);
    CommonOps_DDRM.solve(matrix, new DMatrixRMaj(8, 1, true, problem.vector), expected);
    for (int j = 0; j < 8; j++) {
      assertThat(b[j]).isCloseTo(expected.get(j), within(1e-11));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 6, 30, 3, 0",
    "2, 6, 30, 3, 4",
    "3, 30, 60, 10, 0",
    "4, 30, 10, 1, 0",
    "5, 30, 10, 1, 0.5",
    "6, 60, 200, 0.01, 0",
    "7, 4, 20, 1000, 0"
  })
  void l1_satisfiesTheConditionsOfTheMinimum(long seed, int n, int rows, double l1, double l2) {
    Problem problem = new Problem(seed, n, rows);
    double[] b = problem.minimise(new ElasticNet(l1, l2, new int[n], false));
    int zeros = 0;
    for (int j = 0; j < n; j++) {
      double pull = problem.vector[j] - problem.times(j, b) - (j > 0 ? l2 * b[j] : 0);
      if (j == 0) {
        assertThat(pull).isCloseTo(0, within(1e-9));
      } else if (b[j] == 0) {
        assertThat(Math.abs(pull)).isLessThanOrEqualTo(l1 * (1 + 1e-6));
        zeros++;
      } else {
        assertThat(pull).isCloseTo(l1 * Math.signum(b[j]), within(1e-6 * l1 + 1e-9));
      }
    }
    if (l1 == 1000) {
      assertThat(zeros).isEqualTo(n - 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "2, 0, 3", "3, 2, 0", "4, 2, 1"})
  void signs_areKept_andTheRestIsBest(long seed, double l1, double l2) {
    Problem problem = new Problem(seed, 12, 40);
    int[] signs = {0, -1, 1, 0, -1, 1, 0, -1, 1, 0, -1, 1}; // the first pulls up: it has to rest
    double[] b = problem.minimise(new ElasticNet(l1, l2, signs, false));
    int resting = 0;
    for (int j = 0; j < 12; j++) {
      double pull = problem.vector[j] - problem.times(j, b) - (j > 0 ? l2 * b[j] : 0);
      double threshold = j > 0 ? l1 : 0;
      assertThat(signs[j] * b[j]).isGreaterThanOrEqualTo(0);
      if (b[j] != 0) {
        assertThat(pull).isCloseTo(threshold * Math.signum(b[j]), within(1e-9));
      } else {
        assertThat(signs[j] == 0 ? Math.abs(pull) : signs[j] * pull)
            .isLessThanOrEqualTo(threshold + 1e-9);
        resting++;
      }
    }
    assertThat(b[1]).isZero();
    assertThat(resting).isBetween(1, 10);
  }

  @Test
  void singularSystem_isSolvedWithoutLeavingTheStartMoreThanNeeded() {
    Problem problem = new Problem(8, 12, 5); // 5 rows for 12 entries
    double[] b = problem.minimise(new ElasticNet(0, 0, new int[12], false));
    DMatrixRMaj pseudo = new DMatrixRMaj(12, 12);
    CommonOps_DDRM.pinv(new DMatrixRMaj(12, 12, true, problem.matrix), pseudo);
    DMatrixRMaj expected = new DMatrixRMaj(12, 1);
    CommonOps_DDRM.mult(pseudo, new DMatrixRMaj(12, 1, true, problem.vector), expected);
    for (int j = 0; j < 12; j++) {
      assertThat(b[j]).isCloseTo(expected.get(j), within(1e-6));
    }
  }

  @Test
  void entryWithoutCurvature_staysWhereItStarted() {
    double[] matrix = {1e-14, 0, 0, 2};
    for (double l1 : new double[] {0, 0.5}) {
      double[] b =
          new ElasticNet(l1, 0, new int[2], false)
              .minimise(matrix, new double[] {1e-13, 4}, new double[] {7, 0}, new double[] {1, 2});
      assertThat(b).containsExactly(new double[] {7, 2 - l1 / 2}, within(1e-12));
    }
  }

  /** C = XᵀX and q = Xᵀy of random numbers. */
  private static final class Problem {
    final int n;
    final double[] matrix;
    final double[] vector;

    Problem(long seed, int n, int rows) {
      this.n = n;
      matrix = new double[n * n];
      vector = new double[n];
      var random = new SplittableRandom(seed);
      double[] x = new double[n];
      for (int row = 0; row < rows; row++) {
        double shared = random.nextDouble() - 0.5; // correlates the columns
        for (int j = 0; j < n; j++) {
          x[j] = j == 0 ? 1 : random.nextDouble() - 0.5 + 2 * shared;
        }
        double y = 3 * x[1] - x[n / 2] + random.nextDouble();
        for (int j = 0; j < n; j++) {
          vector[j] += x[j] * y;
          for (int k = 0; k < n; k++) {
            matrix[j * n + k] += x[j] * x[k];
          }
        }
      }
    }

    double[] minimise(ElasticNet net) {
      double[] scale = new double[n];
      for (int j = 0; j < n; j++) {
        scale[j] = matrix[j * n + j];
      }
      return net.minimise(matrix, vector, new double[n], scale);
    }

    double times(int row, double[] b) {
      double sum = 0;
      for (int k = 0; k < n; k++) {
        sum += matrix[row * n + k] * b[k];
      }
      return sum;
    }
  }
}
