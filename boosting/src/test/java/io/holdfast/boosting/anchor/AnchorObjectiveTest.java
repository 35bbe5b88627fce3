package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Absolute;
import io.holdfast.boosting.objective.AnchorableObjectives;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnchorObjectiveTest {
  private static final int ROWS = 30;
  private static final double STEP = 1e-5;

  static Stream<Arguments> settings() {
    return AnchorableObjectives.stream()
        .flatMap(o -> Stream.of(0.0, 0.5, 1.0, 7.0, 100.0).map(gamma -> Arguments.of(o, gamma)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void gradients_ofWeightedRows_areSlopesOfTheLoss(Objective objective, double gamma) {
    AnchorObjective anchored = anchored(objective, gamma);
    double[] scores = scores(objective);
    double[] gradients = new double[scores.length];
    at(anchored, scores).gradients(gradients);
    for (int k = 0; k < scores.length; k++) {
      double slope = (lossMoved(anchored, k, STEP) - lossMoved(anchored, k, -STEP)) / (2 * STEP);
      assertThat(gradients[k]).as("score %s", k).isCloseTo(slope, within(scale(gradients)));
    }
  }

  /** H e_i, made of blocks and the coupling with each raw score an unknown of its own. */
  @ParameterizedTest
  @MethodSource("settings")
  void curvatures_ofWeightedRows_areSlopesOfTheGradients(Objective objective, double gamma) {
    AnchorObjective anchored = anchored(objective, gamma);
    double[] matrix = hessian(at(anchored, scores(objective)));
    int size = ROWS * objective.outputs();
    double[] up = new double[size];
    double[] down = new double[size];
    for (int moved = 0; moved < size; moved += 7) {
      double[] scores = scores(objective);
      scores[moved] += STEP;
      at(anchored, scores).gradients(up);
      scores[moved] -= 2 * STEP;
      at(anchored, scores).gradients(down);
      for (int other = 0; other < size; other++) {
        assertThat(matrix[Math.max(moved, other) * size + Math.min(moved, other)])
            .as("scores %s and %s", moved, other)
            .isCloseTo((up[other] - down[other]) / (2 * STEP), within(scale(matrix)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.boosting.objective.AnchorableObjectives#stream")
  void state_gammaOne_isThePlainLossWhateverTheAnchor(Objective objective) {
    Rows rows = rows(objective);
    double[] scores = scores(objective);
    AnchorState grouped =
        at(new AnchorObjective(objective, rows, GroupMeans.ofEnvironments(rows), 1), scores);
    AnchorState alone = at(new AnchorObjective(objective, rows, ofEachRow(), 1), scores);
    assertThat(grouped.loss()).isEqualTo(alone.loss());
    assertThat(grouped.loss().penalty()).isZero();
    assertThat(gradients(grouped)).isEqualTo(gradients(alone));
    assertThat(hessian(grouped)).isEqualTo(hessian(alone));
    assertThat(grouped.anchored()).isFalse();
  }

  /** Curvatures that do not change are not evaluated again: they must be those of the start. */
  @ParameterizedTest
  @MethodSource("settings")
  void evaluate_stateThatHeldOtherScores_isThatOfANewOne(Objective objective, double gamma) {
    AnchorObjective anchored = anchored(objective, gamma);
    double[] scores = scores(objective);
    AnchorState used = at(anchored, Arrays.stream(scores).map(score -> 1 - 2 * score).toArray());
    anchored.evaluate(scores, used);
    AnchorState fresh = at(anchored, scores);
    assertThat(used.loss()).isEqualTo(fresh.loss());
    assertThat(gradients(used)).isEqualTo(gradients(fresh));
    assertThat(hessian(used)).isEqualTo(hessian(fresh));
    double[] ofUsed = new double[scores.length];
    double[] ofFresh = new double[scores.length];
    used.growthHessians(ofUsed);
    fresh.growthHessians(ofFresh);
    assertThat(ofUsed).isEqualTo(ofFresh);
  }

  @Test
  void state_softmaxScoresOfARowMovedAlike_staysAsItIs() {
    Softmax softmax = new Softmax(3);
    AnchorObjective anchored = anchored(softmax, 7);
    double[] scores = scores(softmax);
    double[] moved = scores.clone();
    for (int k = 0; k < 3; k++) {
      moved[k * ROWS + 5] += 1.5;
    }
    assertThat(at(anchored, moved).loss().total())
        .isCloseTo(at(anchored, scores).loss().total(), within(1e-12));
    assertThat(at(anchored, scores).shiftInvariant()).isTrue();
    assertThat(at(anchored(new Logistic(), 7), scores(new Logistic())).shiftInvariant()).isFalse();
  }

  /** Two classes of softmax are the logistic loss of the difference of their scores. */
  @Test
  void state_softmaxOfTwoClasses_isLogistic() {
    Softmax softmax = new Softmax(2);
    Logistic logistic = new Logistic();
    double[] difference = scores(logistic);
    double[] scores = new double[2 * ROWS];
    for (int row = 0; row < ROWS; row++) {
      scores[row] = 0.3 - 0.5 * difference[row];
      scores[ROWS + row] = 0.3 + 0.5 * difference[row];
    }
    AnchorState two = at(anchored(softmax, 1), scores);
    AnchorState one = at(anchored(logistic, 1), difference);
    assertThat(two.loss().total()).isCloseTo(one.loss().total(), within(1e-12));
    // Both classes have residuals of the same size: the penalty counts each environment twice.
    double twice = at(anchored(softmax, 4), scores).loss().penalty();
    assertThat(twice)
        .isCloseTo(at(anchored(logistic, 7), difference).loss().penalty(), within(1e-11));
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.boosting.objective.AnchorableObjectives#stream")
  void growthHessians_areTheDiagonalWithoutTheAnchor(Objective objective) {
    AnchorState state = at(anchored(objective, 7), scores(objective));
    double[] expected = new double[ROWS * objective.outputs()];
    double[] block = new double[ROWS];
    for (int k = 0; k < objective.outputs(); k++) {
      state.curvatures(k, k, false, block);
      System.arraycopy(block, 0, expected, k * ROWS, ROWS);
    }
    double[] hessians = new double[expected.length];
    state.growthHessians(hessians);
    assertThat(hessians).isEqualTo(expected);
  }

  @Test
  void growthHessians_lossWithoutCurvature_areTheWeights() {
    for (Objective objective : new Objective[] {new Absolute(), new Quantile(0.9)}) {
      Rows rows = rows(objective);
      double[] hessians = new double[ROWS];
      at(anchored(objective, 1), scores(objective)).growthHessians(hessians);
      for (int row = 0; row < ROWS; row++) {
        assertThat(hessians[row]).isEqualTo(rows.weight(row));
      }
    }
  }

  @Test
  void replaceObjective_otherLearnedParameters_areThoseOfTheNextEvaluation() {
    Ordinal unfitted = new Ordinal(3, OrdinalLink.LOGIT);
    Rows rows = rows(unfitted);
    Objective fitted = unfitted.fittedTo(rows);
    AnchorObjective anchored = anchored(unfitted, 7);
    anchored.replaceObjective(fitted);
    assertThat(at(anchored, scores(unfitted)).loss())
        .isEqualTo(at(anchored(fitted, 7), scores(unfitted)).loss());
    assertThatThrownBy(() -> anchored.replaceObjective(new Logistic()))
        .hasMessageContaining("other learned parameters");
  }

  @Test
  void constructor_projectionOfOtherRows_isRefused() {
    Rows rows = rows(new Squared());
    GroupMeans two = GroupMeans.ofAll(new double[] {1, 1});
    assertThatThrownBy(() -> new AnchorObjective(new Squared(), rows, two, 2))
        .hasMessage("the anchor must have as many rows as there are to train on, 30: 2");
  }

  /** The whole second derivative in all raw scores, lower triangle. */
  private static double[] hessian(AnchorState state) {
    int outputs = state.outputs();
    int size = ROWS * outputs;
    int[] all = new int[outputs];
    int[][] own = new int[outputs][ROWS];
    for (int k = 0; k < outputs; k++) {
      int first = k * ROWS;
      all[k] = k;
      Arrays.setAll(own[k], row -> first + row);
    }
    double[] matrix = new double[size * size];
    state.addCoupling(all, own, size, matrix);
    double[] block = new double[ROWS];
    for (int k = 0; k < outputs; k++) {
      for (int l = 0; l <= k; l++) {
        state.curvatures(k, l, true, block);
        for (int row = 0; row < ROWS; row++) {
          matrix[(k * ROWS + row) * size + l * ROWS + row] += block[row];
        }
      }
    }
    return matrix;
  }

  /** Of what a numeric difference may be off by. */
  private static double scale(double[] values) {
    double largest = 1;
    for (double value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return 1e-7 * largest;
  }

  private static double lossMoved(AnchorObjective anchored, int at, double step) {
    double[] scores = scores(anchored.objective());
    scores[at] += step;
    return at(anchored, scores).loss().total();
  }

  private static AnchorState at(AnchorObjective anchored, double[] scores) {
    AnchorState state = anchored.newState();
    anchored.evaluate(scores, state);
    return state;
  }

  private static double[] gradients(AnchorState state) {
    double[] gradients = new double[ROWS * state.outputs()];
    state.gradients(gradients);
    return gradients;
  }

  private static double[] scores(Objective objective) {
    var random = new SplittableRandom(5);
    double[] scores = new double[ROWS * objective.outputs()];
    Arrays.setAll(scores, k -> 3 * random.nextDouble() - 1.5);
    return scores;
  }

  private static AnchorObjective anchored(Objective objective, double gamma) {
    Rows rows = rows(objective);
    return new AnchorObjective(objective, rows, GroupMeans.ofEnvironments(rows), gamma);
  }

  private static GroupMeans ofEachRow() {
    int[] own = new int[ROWS];
    double[] weights = new double[ROWS];
    Arrays.setAll(own, row -> row);
    Arrays.fill(weights, 1);
    return new GroupMeans(own, ROWS, weights);
  }

  private static Rows rows(Objective objective) {
    var random = new SplittableRandom(6);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < ROWS; row++) {
      double label = SampleRows.labelFor(objective, 4 * random.nextDouble() - 2);
      builder.add(new double[1], label, 0.3 + random.nextDouble(), "e" + random.nextInt(4));
    }
    return builder.build();
  }
}
