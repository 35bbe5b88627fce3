package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.objective.Squared;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnchorObjectiveTest {
  private static final int ROWS = 30;
  private static final double STEP = 1e-5;

  static Stream<Arguments> settings() {
    return Stream.of(new Squared(), new Logistic(), new Probit())
        .flatMap(o -> Stream.of(0.0, 0.5, 1.0, 7.0, 100.0).map(gamma -> Arguments.of(o, gamma)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void gradients_ofWeightedRows_areSlopesOfTheLoss(Objective objective, double gamma) {
    AnchorObjective anchored = anchored(objective, gamma);
    double[] scores = scores();
    double[] gradients = new double[ROWS];
    at(anchored, scores).gradients(gradients);
    for (int row = 0; row < ROWS; row++) {
      double slope =
          (lossMoved(anchored, row, STEP) - lossMoved(anchored, row, -STEP)) / (2 * STEP);
      assertThat(gradients[row])
          .as("row %s", row)
          .isCloseTo(slope, within(1e-6 * Math.max(1, gamma)));
    }
  }

  /** H e_i, made of the diagonal and the coupling with each row a leaf of its own. */
  @ParameterizedTest
  @MethodSource("settings")
  void curvatures_ofWeightedRows_areSlopesOfTheGradients(Objective objective, double gamma) {
    AnchorObjective anchored = anchored(objective, gamma);
    AnchorState state = at(anchored, scores());
    double[] diagonals = new double[ROWS];
    double[] matrix = new double[ROWS * ROWS];
    int[] ownLeaf = new int[ROWS];
    for (int row = 0; row < ROWS; row++) {
      ownLeaf[row] = row;
    }
    state.curvatures(0, 0, true, diagonals);
    state.addCoupling(new int[1], new int[][] {ownLeaf}, ROWS, matrix);
    double[] up = new double[ROWS];
    double[] down = new double[ROWS];
    for (int moved = 0; moved < ROWS; moved += 7) {
      matrix[moved * ROWS + moved] += diagonals[moved];
      double[] scores = scores();
      scores[moved] += STEP;
      at(anchored, scores).gradients(up);
      scores[moved] -= 2 * STEP;
      at(anchored, scores).gradients(down);
      for (int row = 0; row < ROWS; row++) {
        assertThat(matrix[Math.max(moved, row) * ROWS + Math.min(moved, row)])
            .as("rows %s and %s", moved, row)
            .isCloseTo((up[row] - down[row]) / (2 * STEP), within(1e-6 * Math.max(1, gamma)));
      }
    }
  }

  private static double lossMoved(AnchorObjective anchored, int row, double step) {
    double[] scores = scores();
    scores[row] += step;
    return at(anchored, scores).loss().total();
  }

  private static AnchorState at(AnchorObjective anchored, double[] scores) {
    AnchorState state = anchored.newState();
    anchored.evaluate(scores, state);
    return state;
  }

  private static double[] scores() {
    var random = new SplittableRandom(5);
    double[] scores = new double[ROWS];
    for (int row = 0; row < ROWS; row++) {
      scores[row] = 4 * random.nextDouble() - 2;
    }
    return scores;
  }

  private static AnchorObjective anchored(Objective objective, double gamma) {
    var random = new SplittableRandom(6);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < ROWS; row++) {
      builder.add(
          new double[1], random.nextInt(2), 0.3 + random.nextDouble(), "e" + random.nextInt(4));
    }
    Rows rows = builder.build();
    return new AnchorObjective(objective, rows, GroupMeans.ofEnvironments(rows), gamma);
  }
}
