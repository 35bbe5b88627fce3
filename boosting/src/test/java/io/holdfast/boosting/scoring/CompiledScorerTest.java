package io.holdfast.boosting.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.AllocatedBytes;
import io.holdfast.boosting.scoring.DrawnModels.Shape;
import io.holdfast.boosting.scoring.Vectors.SimdMode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompiledScorerTest {
  private static final int ROWS = 600;

  /** Around every limit that a layout has: groups of 8, runs of 64 trees, 32 and 64 leaves. */
  static Stream<Shape> shapes() {
    return Stream.of(
        new Shape(1, 1, 0, 1, false, false),
        new Shape(1, 1, 1, 1, false, false), // constant trees
        new Shape(3, 1, 7, 2, false, true), // stumps
        new Shape(30, 1, 8, 2, false, false),
        new Shape(6, 1, 9, 8, false, false),
        new Shape(30, 1, 65, 31, false, false),
        new Shape(30, 1, 129, 33, true, true),
        new Shape(13, 1, 64, 64, true, false),
        new Shape(40, 1, 20, 65, false, false),
        new Shape(100, 1, 70, 200, false, true),
        new Shape(5, 1, 3, 5000, false, false),
        new Shape(5, 1, 3, 600, true, false),
        new Shape(8, 3, 40, 31, false, true),
        new Shape(8, 11, 70, 64, true, false),
        new Shape(2, 1, 100, 300, false, false), // thousands of thresholds a feature
        new Shape(300, 2, 70, 40, false, false),
        new Shape(9, 1, 21, 64, false, false, 6, true), // six levels: subtrees upon subtrees
        new Shape(24, 1, 66, 40, false, true, 6, true),
        new Shape(70, 1, 3, 64, false, false, 6, true),
        new Shape(12, 3, 30, 64, false, false, 5, true),
        Shape.ofNumbers(30, 65, 31, false),
        Shape.ofNumbers(40, 20, 64, true),
        Shape.ofNumbers(130, 30, 40, false), // too many for lines of ranks
        Shape.ofNumbers(5, 9, 64, false));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void score_anyModelAndRow_sameBitsAsTreeWalk(Shape shape) {
    for (long seed = 1; seed <= 3; seed++) {
      Model model = DrawnModels.model(shape, seed);
      double[] rows = DrawnModels.rows(shape.width(), ROWS, seed);
      double[] expected = walked(model, rows);
      for (SimdMode mode : modes()) {
        Scorer compiled = CompiledScorer.of(model, mode);
        assertSameBits(oneByOne(compiled, shape.width(), rows), expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void scores_anyModelAndBlock_sameBitsAsTreeWalk(Shape shape) {
    Model model = DrawnModels.model(shape, 4);
    for (SimdMode mode : modes()) {
      assertSameBlocks(CompiledScorer.of(model, mode), model, shape);
    }
  }

  /** What single rows need is not laid out, so that few left over go by a word, too. */
  @ParameterizedTest
  @MethodSource("shapes")
  void scores_laidOutForBlocks_sameBitsAsTreeWalk(Shape shape) {
    Model model = DrawnModels.model(shape, 6);
    for (SimdMode mode : modes()) {
      assertSameBlocks(CompiledScorer.ofBlocks(model, mode), model, shape);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void ofRows_fewOrMany_sameBitsAsTreeWalk(Shape shape) {
    Model model = DrawnModels.model(shape, 7);
    for (int size : new int[] {0, 1, 64, 65, 130}) {
      double[] rows = DrawnModels.rows(shape.width(), size, size);
      Rows labelled = labelled(shape.width(), rows);
      assertSameBits(Scorer.ofRows(model, size).scores(labelled), walked(model, rows));
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void scores_nothingMissing_sameBitsAsTreeWalk(Shape shape) {
    Model model = DrawnModels.model(shape, 5);
    double[] rows = DrawnModels.rows(shape.width(), ROWS, 5);
    for (int k = 0; k < rows.length; k++) {
      rows[k] = Double.isNaN(rows[k]) ? 0.3 : rows[k];
    }
    for (SimdMode mode : modes()) {
      Scorer compiled = CompiledScorer.of(model, mode);
      for (int size : new int[] {1, 40, 64, 100, ROWS}) {
        double[] some = Arrays.copyOf(rows, size * shape.width());
        double[] actual = new double[shape.outputs() * size];
        compiled.scores(some, size, actual);
        assertSameBits(actual, walked(model, some));
      }
    }
  }

  private static void assertSameBlocks(Scorer compiled, Model model, Shape shape) {
    for (int size :
        new int[] {
          0, 1, 15, 16, 31, 32, 63, 64, 65, 128, 150, 192, 193, 300, 511, 512, 513, 1030
        }) {
      double[] rows = DrawnModels.rows(shape.width(), size, size);
      double[] expected = walked(model, rows);
      double[] actual = new double[expected.length];
      compiled.scores(rows, size, actual);
      assertSameBits(actual, expected);
      assertSameBits(compiled.scores(labelled(shape.width(), rows)), expected);
    }
  }

  @Test
  void scores_blockTooShort_saysWhatIsMissing() {
    Scorer scorer = Scorer.of(DrawnModels.model(new Shape(3, 2, 4, 4, false, false), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scorer.scores(new double[29], 10, new double[20]))
        .withMessage(
            "10 rows must have 3 features each and room for 2 raw scores each: there are 29 and"
                + " 20");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scorer.scores(new double[30], 10, new double[19]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scorer.scores(new double[30], -1, new double[20]));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void scores_oncePerThread_allocatesNothingAfter(Shape shape) {
    // Vectors allocate until they are compiled, and serve only then: see VectorsTest.
    Scorer scorer = CompiledScorer.plain(DrawnModels.model(shape, 5));
    double[] block = DrawnModels.rows(shape.width(), ROWS, 5);
    double[] row = Arrays.copyOf(block, shape.width());
    double[] target = new double[shape.outputs() * ROWS];
    Runnable calls =
        () -> {
          scorer.score(row, target);
          scorer.scores(block, ROWS, target);
          scorer.scores(block, 3, target);
        };
    calls.run();
    long before = AllocatedBytes.ofThisThread();
    for (int k = 0; k < 5; k++) {
      calls.run();
    }
    assertThat(AllocatedBytes.ofThisThread() - before)
        .isLessThan(1000); // asking for the count takes a little
  }

  @Test
  void bytes_ofTrainedShape_statedSizePerLeaf() {
    Model model = DrawnModels.model(new Shape(30, 1, 100, 31, false, false), 6);
    long leaves =
        model.segments().stream()
            .flatMap(segment -> segment.trees().stream())
            .mapToLong(Tree::leaves)
            .sum();
    // Without what the features' tables take; see docs/benchmarks.md.
    assertThat(CompiledScorer.plain(model).bytes()).isBetween(40 * leaves, 400 * leaves);
  }

  /** Vector loops are tested where the JVM has them. */
  static List<SimdMode> modes() {
    return Vectors.present() ? List.of(SimdMode.values()) : List.of(SimdMode.PLAIN);
  }

  private static Rows labelled(int width, double[] values) {
    Rows.Builder rows = Rows.builder(width);
    for (int from = 0; from < values.length; from += width) {
      rows.add(Arrays.copyOfRange(values, from, from + width), 0, "only");
    }
    return rows.build();
  }

  static double[] walked(Model model, double[] rows) {
    return oneByOne(new TreeWalkScorer(model), model.features().size(), rows);
  }

  /** Raw scores output by output. */
  static double[] oneByOne(Scorer scorer, int width, double[] rows) {
    int size = rows.length / width;
    double[] scores = new double[scorer.outputs() * size];
    double[] features = new double[width];
    double[] one = new double[scorer.outputs()];
    for (int row = 0; row < size; row++) {
      System.arraycopy(rows, row * width, features, 0, width);
      scorer.score(features, one);
      for (int k = 0; k < one.length; k++) {
        scores[k * size + row] = one[k];
      }
      if (one.length == 1) {
        assertThat(scorer.score(features)).isEqualTo(one[0]);
      }
    }
    return scores;
  }

  static void assertSameBits(double[] actual, double[] expected) {
    // As bits: 0 and −0 are not the same score.
    assertThat(actual).hasSameSizeAs(expected);
    for (int k = 0; k < actual.length; k++) {
      if (Double.doubleToRawLongBits(actual[k]) != Double.doubleToRawLongBits(expected[k])) {
        assertThat(actual[k]).as("score %s", k).isEqualTo(expected[k]);
      }
    }
  }
}
