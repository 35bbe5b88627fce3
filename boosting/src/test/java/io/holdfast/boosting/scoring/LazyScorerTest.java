package io.holdfast.boosting.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.DrawnModels.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LazyScorerTest {
  private static final Shape SHAPE = Shape.ofNumbers(8, 60, 31, false);
  private static final int ROWS = 1500;

  private final Model model = DrawnModels.model(SHAPE, 1);
  private final Scorer before = Scorer.of(DrawnModels.model(SHAPE, 2));

  static List<Shape> shapes() {
    return List.of(
        SHAPE,
        new Shape(8, 1, 60, 31, false, false), // more categories than are walked side by side
        Shape.ofNumbers(1100, 20, 31, false), // so are columns
        Shape.ofNumbers(5, 10, 200, true), // and levels
        new Shape(6, 3, 40, 16, false, true));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void rows_beforeAndAfterItIsCompiled_getTheSameBits(Shape shape) {
    Model drawn = DrawnModels.model(shape, 1);
    double[] rows = DrawnModels.rows(shape.width(), ROWS, 3);
    Scorer plain = new TreeWalkScorer(drawn);
    Scorer deferred = Scorer.of(drawn, Scorer.of(DrawnModels.model(shape, 2)));
    assertThat(deferred.bytes()).isZero();

    CompiledScorerTest.assertSameBits(
        CompiledScorerTest.oneByOne(deferred, shape.width(), rows),
        CompiledScorerTest.oneByOne(plain, shape.width(), rows));

    assertThat(deferred.bytes()).isPositive();
    double[] expected = new double[drawn.base().outputs() * ROWS];
    double[] actual = new double[expected.length];
    plain.scores(rows, ROWS, expected);
    deferred.scores(rows, ROWS, actual);
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void treesThatAreWalkedOneByOne_areCompiledSooner() {
    Shape shape = new Shape(8, 1, 60, 31, false, false); // many categories
    Model drawn = DrawnModels.model(shape, 1);
    double[] rows = DrawnModels.rows(shape.width(), 300, 3);
    Scorer deferred = Scorer.of(drawn, before);
    CompiledScorerTest.oneByOne(deferred, shape.width(), rows);
    assertThat(deferred.bytes()).isEqualTo(Scorer.of(drawn).bytes());

    Scorer sideBySide = Scorer.of(model, before);
    CompiledScorerTest.oneByOne(sideBySide, SHAPE.width(), rows);
    assertThat(sideBySide.bytes()).isLessThan(Scorer.of(model).bytes());
  }

  @Test
  void versionsOfTheSameTrees_areLaidOutOnce() {
    double[] rows = DrawnModels.rows(SHAPE.width(), 600, 4);
    Scorer scorer = Scorer.of(model, before);
    scorer.scores(rows, 600, new double[600]);

    Model shifted =
        new Model(model.objective(), model.features(), Base.constant(17), model.segments());
    Scorer next = Scorer.of(shifted, scorer);
    double[] actual = new double[600];
    next.scores(rows, 600, actual);

    long compiled = Scorer.of(model).bytes();
    assertThat(scorer.bytes()).as("walked side by side").isBetween(1L, compiled / 2);
    assertThat(next.bytes()).as("compiled: rows of both count").isEqualTo(compiled);
    double[] expected = new double[600];
    new TreeWalkScorer(shifted).scores(rows, 600, expected);
    assertThat(actual).isEqualTo(expected);
    assertThat(Scorer.of(model, next.settled())).isInstanceOf(CompiledScorer.class);
  }
}
