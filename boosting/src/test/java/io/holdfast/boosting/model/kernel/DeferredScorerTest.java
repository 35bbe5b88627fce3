package io.holdfast.boosting.model.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.TreeWalkScorer;
import io.holdfast.boosting.model.kernel.DrawnModels.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DeferredScorerTest {
  private static final Shape SHAPE = new Shape(8, 1, 60, 31, false, false);
  private static final int ROWS = 500;

  private final Model model = DrawnModels.model(SHAPE, 1);
  private final Scorer before = CompiledScorer.of(DrawnModels.model(SHAPE, 2));

  @Test
  void rows_beforeAndAfterItIsCompiled_getTheSameBits() {
    double[] rows = DrawnModels.rows(SHAPE.width(), ROWS, 3);
    Scorer plain = new TreeWalkScorer(model);
    Scorer deferred = Scorer.of(model, before);
    assertThat(deferred.bytes()).isZero();

    for (int row = 0; row < ROWS; row++) {
      double[] one = Arrays.copyOfRange(rows, row * SHAPE.width(), (row + 1) * SHAPE.width());
      assertThat(deferred.score(one)).isEqualTo(plain.score(one));
    }

    assertThat(deferred.bytes()).isPositive();
    double[] expected = new double[ROWS];
    double[] actual = new double[ROWS];
    plain.scores(rows, ROWS, expected);
    deferred.scores(rows, ROWS, actual);
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void versionsOfTheSameTrees_areLaidOutOnce() {
    double[] rows = DrawnModels.rows(SHAPE.width(), 150, 4);
    Scorer scorer = Scorer.of(model, before);
    scorer.scores(rows, 150, new double[150]);
    assertThat(scorer.bytes()).isZero();

    Model shifted =
        new Model(model.objective(), model.features(), Base.constant(17), model.segments());
    Scorer next = Scorer.of(shifted, scorer);
    double[] actual = new double[150];
    next.scores(rows, 150, actual);

    assertThat(next.bytes()).as("rows of both count").isPositive();
    double[] expected = new double[150];
    new TreeWalkScorer(shifted).scores(rows, 150, expected);
    assertThat(actual).isEqualTo(expected);
    assertThat(Scorer.of(model, next.settled())).isInstanceOf(CompiledScorer.class);
  }
}
