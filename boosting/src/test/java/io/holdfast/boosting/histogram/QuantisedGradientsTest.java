package io.holdfast.boosting.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantisedGradientsTest {
  @ParameterizedTest
  @CsvSource({"600, false", "600, true", "20000, false", "20000, true", "300000, false"})
  void cells_addedUpOverAnyRows_holdTheSums(int size, boolean equalHessians) {
    var random = new SplittableRandom(size);
    double[] gradients = random.doubles(size, -3, 5).toArray();
    double[] hessians = random.doubles(size, 0, 0.25).toArray();
    if (equalHessians) {
      Arrays.fill(hessians, 0.3);
    }
    var derivatives = new QuantisedGradients(size, new Buffers(), new Workers(1));
    CellLayout layout =
        Objects.requireNonNull(derivatives.take(gradients, hessians, RowSamples.all(size)));
    assertThat(layout.hessianBits() == 0).isEqualTo(equalHessians);
    for (double threshold : new double[] {-4, -1, 0, 2, 6}) {
      for (boolean below : new boolean[] {true, false}) {
        long sum = 0;
        double gradient = 0;
        double hessian = 0;
        int count = 0;
        for (int row = 0; row < size; row++) {
          if (gradients[row] < threshold == below) {
            sum += derivatives.cells[row];
            gradient += gradients[row];
            hessian += hessians[row];
            count++;
          }
        }
        assertThat(layout.count(sum)).isEqualTo(count);
        double gradientSlack = size * layout.gradientUnit();
        assertThat(layout.gradient(sum)).isCloseTo(gradient, within(gradientSlack));
        double hessianSlack = equalHessians ? 1e-9 * hessian : size * layout.hessianUnit();
        assertThat(layout.hessian(sum)).isCloseTo(hessian, within(hessianSlack));
      }
    }
  }

  @Test
  void take_anyOrderOfTheRows_sameLayoutAndCells() {
    int size = 5_000;
    var random = new SplittableRandom(4);
    double[] gradients = new double[size];
    Arrays.setAll(gradients, row -> Math.exp(20 * random.nextDouble()) - 1e4);
    double[] hessians = random.doubles(size, 0.1, 1).toArray();
    double[] reversedGradients = new double[size];
    double[] reversedHessians = new double[size];
    for (int row = 0; row < size; row++) {
      reversedGradients[row] = gradients[size - 1 - row];
      reversedHessians[row] = hessians[size - 1 - row];
    }
    var forward = new QuantisedGradients(size, new Buffers(), new Workers(1));
    var backward = new QuantisedGradients(size, new Buffers(), new Workers(1));
    assertThat(forward.take(gradients, hessians, RowSamples.all(size)))
        .isEqualTo(backward.take(reversedGradients, reversedHessians, RowSamples.all(size)));
    for (int row = 0; row < size; row++) {
      assertThat(forward.cells[row]).isEqualTo(backward.cells[size - 1 - row]);
    }
  }

  @Test
  void take_numbersOfFewDigits_losesNone() {
    int size = 4_000;
    var random = new SplittableRandom(5);
    double[] gradients = new double[size];
    double[] hessians = new double[size];
    Arrays.setAll(gradients, row -> random.nextInt(-90, 90) / 64.0);
    Arrays.setAll(hessians, row -> random.nextInt(1, 60) / 64.0);
    var derivatives = new QuantisedGradients(size, new Buffers(), new Workers(1));
    CellLayout layout =
        Objects.requireNonNull(derivatives.take(gradients, hessians, RowSamples.all(size)));
    for (int row = 0; row < size; row++) {
      assertThat(layout.gradient(derivatives.cells[row])).isEqualTo(gradients[row]);
      assertThat(layout.hessian(derivatives.cells[row])).isEqualTo(hessians[row]);
    }
  }

  @Test
  void take_someRows_leavesOthersOut() {
    double[] gradients = {5, Double.NaN, -1, 1e300, 2, -4};
    double[] hessians = {1, -3, 2, Double.NaN, 1, 3};
    var derivatives = new QuantisedGradients(6, new Buffers(), new Workers(1));
    CellLayout layout =
        Objects.requireNonNull(derivatives.take(gradients, hessians, RowSamples.of(0, 2, 4, 5)));
    long sum = derivatives.cells[0] + derivatives.cells[2] + derivatives.cells[5];
    assertThat(layout.count(sum)).isEqualTo(3);
    assertThat(layout.gradient(sum)).isZero();
    assertThat(layout.hessian(sum)).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1e-300, -2})
  void take_whatCannotBePacked_isRefused(double hessian) {
    double[] gradients = {1, 2, 3};
    double[] hessians = {1, hessian, 1};
    assertThat(
            new QuantisedGradients(3, new Buffers(), new Workers(1))
                .take(gradients, hessians, RowSamples.all(3)))
        .isNull();
    hessians[1] = 1;
    assertThat(
            new QuantisedGradients(3, new Buffers(), new Workers(1))
                .take(gradients, hessians, RowSamples.all(3)))
        .isNotNull();
    gradients[2] = hessian < 0 ? Double.NaN : hessian;
    assertThat(
            new QuantisedGradients(3, new Buffers(), new Workers(1))
                .take(gradients, hessians, RowSamples.all(3)))
        .isNull();
  }

  /** A million rows leave a row a few units; of small numbers that is mostly none, or one. */
  @Test
  void take_manyRows_sumsOfSmallNumbersAreRightOnAverage() {
    int size = 1_000_000;
    int small = 30_000;
    var random = new SplittableRandom(7);
    double[] gradients = random.doubles(size, -1, 1).toArray();
    double[] hessians = random.doubles(size, 0.1, 0.25).toArray();
    for (int row = 0; row < small; row++) {
      gradients[33 * row] = 0.01;
      hessians[33 * row] = 0.01;
    }
    var derivatives = new QuantisedGradients(size, new Buffers(), new Workers(1));
    CellLayout layout =
        Objects.requireNonNull(derivatives.take(gradients, hessians, RowSamples.all(size)));
    long sum = 0;
    for (int row = 0; row < small; row++) {
      sum += derivatives.cells[33 * row];
    }
    assertThat(layout.gradientUnit()).isGreaterThan(0.1);
    assertThat(layout.count(sum)).isEqualTo(small);
    assertThat(layout.gradient(sum) / small).isCloseTo(0.01, within(0.002));
    assertThat(layout.hessian(sum) / small).isCloseTo(0.01, within(0.002));
    var again = new QuantisedGradients(size, new Buffers(), new Workers(1));
    again.take(gradients, hessians, RowSamples.all(size));
    assertThat(Arrays.equals(derivatives.cells, 0, size, again.cells, 0, size)).isTrue();
  }

  /** Two million rows leave a row less than a unit of gradient and hessian. */
  @Test
  void take_tooManyRowsForTheirDigits_isRefused() {
    int size = 2_000_000;
    var random = new SplittableRandom(6);
    double[] gradients = random.doubles(size, -1, 1).toArray();
    double[] hessians = random.doubles(size, 0, 0.25).toArray();
    var derivatives = new QuantisedGradients(size, new Buffers(), new Workers(1));
    assertThat(derivatives.take(gradients, hessians, RowSamples.all(size))).isNull();
    Arrays.fill(hessians, 1);
    assertThat(derivatives.take(gradients, hessians, RowSamples.all(size))).isNotNull();
  }
}
