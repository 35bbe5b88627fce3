package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.schemas.reference.DistributionSketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SketchesTest {
  private static final int ROWS = 20_000;

  enum Shape {
    NORMAL,
    NARROW_ABOUT_A_LARGE_MEAN,
    LONG_TAIL,
    MOSTLY_ZERO,
    WHOLE_NUMBERS,
    FEW_VALUES,
    TENTHS,
    HUGE,
    ONE_VALUE;

    private double next(SplittableRandom random) {
      return switch (this) {
        case NORMAL -> random.nextGaussian();
        case NARROW_ABOUT_A_LARGE_MEAN -> 1e9 + random.nextGaussian();
        case LONG_TAIL -> Math.exp(4 * random.nextGaussian());
        case MOSTLY_ZERO -> random.nextDouble() < 0.6 ? 0 : random.nextDouble();
        case WHOLE_NUMBERS -> Math.rint(300 * random.nextDouble() * random.nextDouble());
        case FEW_VALUES -> random.nextInt(5);
        case TENTHS -> random.nextInt(200) * 0.1;
        case HUGE -> random.nextBoolean() ? 1e300 : -1e300 * random.nextDouble();
        case ONE_VALUE -> 7;
      };
    }

    double[] values(long seed, int rows) {
      var random = new SplittableRandom(seed);
      double[] values = new double[rows];
      Arrays.setAll(values, k -> next(random));
      Arrays.sort(values);
      return values;
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void ranks_areThoseOfTheValues_butForTheRankError(Shape shape) {
    double[] values = shape.values(1, ROWS);
    DistributionSketch sketch = Sketches.of(values);
    assertThat(sketch.present()).isEqualTo(ROWS);
    assertThat(sketch.size()).isLessThanOrEqualTo(110);
    assertRanks(new ReferenceDistribution(sketch, ROWS), values);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void sketchesOfParts_merged_areAsGoodAsThatOfTheWhole(Shape shape) {
    double[] values = new double[ROWS];
    DistributionSketch sum = Sketches.of(new double[0]);
    List<DistributionSketch> parts = new ArrayList<>();
    for (int part = 0; part < 10; part++) {
      double[] some = shape.values(part, ROWS / 10);
      System.arraycopy(some, 0, values, part * ROWS / 10, ROWS / 10);
      parts.add(Sketches.of(some));
      sum = Sketches.merged(List.of(sum, parts.getLast()), Sketches.FINEST);
    }
    Arrays.sort(values);
    assertRanks(new ReferenceDistribution(Sketches.merged(parts, 100), ROWS), values);
    assertRanks(new ReferenceDistribution(sum, ROWS), values);
  }

  private static void assertRanks(ReferenceDistribution curve, double[] values) {
    assertThat(curve.rankError()).isLessThanOrEqualTo(0.026);
    for (int k = 0; k < values.length; k++) {
      if (k + 1 == values.length || values[k + 1] > values[k]) {
        assertThat(curve.upTo(values[k]))
            .as("at %s", values[k])
            .isEqualTo((k + 1.0) / values.length, within(curve.rankError() + 1e-12));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 25})
  void coarserSketches_areSmaller_andTheirRankErrorSaysSo(int compression) {
    double[] values = Shape.NORMAL.values(3, ROWS);
    DistributionSketch coarse = Sketches.merged(List.of(Sketches.of(values)), compression);
    assertThat(coarse.size()).isLessThanOrEqualTo(compression + 10);
    assertThat(coarse.present()).isEqualTo(ROWS);
    var curve = new ReferenceDistribution(coarse, ROWS);
    assertThat(curve.rankError()).isLessThanOrEqualTo(2.6 / compression);
    for (int k = 0; k < ROWS; k += 100) {
      assertThat(curve.upTo(values[k]))
          .isEqualTo((k + 1.0) / ROWS, within(curve.rankError() + 1e-3));
    }
  }

  @Test
  void equalValues_giveEqualSketches() {
    for (Shape shape : Shape.values()) {
      assertThat(Sketches.of(shape.values(5, 3_000)))
          .isEqualTo(Sketches.of(shape.values(5, 3_000)));
    }
  }

  @Test
  void fewValues_areKeptAsTheyAre_alsoWhenMerged() {
    DistributionSketch first = Sketches.of(new double[] {0, 0, 1});
    DistributionSketch both =
        Sketches.merged(List.of(first, Sketches.of(new double[] {1, 2})), Sketches.FINEST);
    assertThat(both)
        .isEqualTo(new DistributionSketch(true, new double[] {0, 1, 2}, new long[] {2, 2, 1}));
  }

  /** What sketches add to the plain comparison of rows is within what is taken off. */
  @ParameterizedTest
  @EnumSource(Shape.class)
  void comparison_isThatOfRows_butForTheRankError(Shape shape) {
    double[] reference = shape.values(7, 5_000);
    var curve = new ReferenceDistribution(Sketches.of(reference), reference.length);
    for (double scale : new double[] {1, 1.3, 0.5}) {
      double[] now = shape.values(8, 500);
      for (int k = 0; k < now.length; k++) {
        now[k] *= scale;
      }
      Arrays.sort(now);
      ShiftStatistics.Distance plain = TwoSamples.between(reference, now);
      ShiftStatistics.Distance sketched = curve.to(now);
      assertThat(sketched.distance()).isLessThanOrEqualTo(plain.distance() + 1e-12);
      assertThat(sketched.distance())
          .isGreaterThanOrEqualTo(plain.distance() - 2 * curve.rankError() - 1e-12);
      if (plain.stability() < 1) {
        assertThat(sketched.stability())
            .isEqualTo(plain.stability(), within(0.1 + 0.3 * plain.stability()));
      }
    }
  }

  @Test
  void missingValues_areAGroupOfTheirOwn() {
    var curve =
        new ReferenceDistribution(Sketches.of(Shape.NORMAL.values(1, 800)), 1_000); // 200 lack one
    double[] same = Arrays.copyOf(Shape.NORMAL.values(2, 400), 500);
    Arrays.fill(same, 400, 500, Double.NaN);
    double[] more = Arrays.copyOf(Shape.NORMAL.values(2, 200), 500);
    Arrays.fill(more, 200, 500, Double.NaN);
    assertThat(TwoSamples.p(curve.to(same).distance(), 1_000, same.length)).isGreaterThan(0.01);
    assertThat(curve.to(same).stability()).isLessThan(0.1);
    assertThat(TwoSamples.p(curve.to(more).distance(), 1_000, more.length)).isLessThan(1e-6);
    assertThat(curve.to(more).stability()).isGreaterThan(0.1);
    double[] none = new double[50];
    Arrays.fill(none, Double.NaN);
    assertThat(curve.to(none).distance()).isEqualTo(0.8, within(0.03));
  }
}
