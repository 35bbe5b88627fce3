package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenErrata;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Softmax;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Softmax and its anchor where the notes are wrong. */
class GoldenErrataTest {
  private static final double RTOL = 1e-10;

  @TestFactory
  Stream<DynamicTest> softmax() {
    return GoldenErrata.tests(
        Map.of(
            "000-01",
            // of the log-likelihood, the loss' negative
            witness -> close(-hessian(witness, at(witness, "k"), at(witness, "k")), witness),
            "000-02",
            GoldenErrataTest::checkSumOfResiduals,
            "000-03",
            // residuals are p less a constant
            witness -> close(hessian(witness, at(witness, "j"), at(witness, "k")), witness),
            "000-04",
            witness ->
                close(curvatureOfProbability(witness, at(witness, "j"), at(witness, "k")), witness),
            "000-05",
            witness -> close(slope(witness, 3) - slope(witness, 1), witness),
            "000-06",
            witness -> close(curvature(witness, 3) - curvature(witness, 1), witness)));
  }

  private static void checkSumOfResiduals(JsonNode witness) {
    AnchorState state = oneRow(witness, at(witness, "y"), 1);
    double[] gradients = new double[state.outputs()];
    state.gradients(gradients);
    assertThat(Arrays.stream(gradients).sum())
        .isCloseTo(witness.get("right").asDouble(), within(1e-15));
  }

  private static double hessian(JsonNode witness, int j, int k) {
    double[] entry = new double[1];
    oneRow(witness, 0, 1).hessians(j, k, entry);
    return entry[0];
  }

  /**
   * ∂²p_j/∂f_k². The anchor of a row by itself adds strength Σ_j u_j ∂²p_j/∂f_k² to the curvature,
   * with u_j = p_j − 1{y = j}; and Σ_j ∂²p_j/∂f_k² = 0. So it is what that adds on average over the
   * labels less what it adds for the label j.
   */
  private static double curvatureOfProbability(JsonNode witness, int j, int k) {
    int classes = witness.get("f").size();
    double mean = 0;
    double own = 0;
    for (int label = 0; label < classes; label++) {
      AnchorState state = oneRow(witness, label, 2);
      double[] whole = new double[1];
      double[] hessian = new double[1];
      state.curvatures(k, k, true, whole);
      state.hessians(k, k, hessian);
      double added = whole[0] - hessian[0];
      mean += added / classes;
      own += label == j ? added : 0;
    }
    return mean - own;
  }

  private static AnchorState oneRow(JsonNode witness, int label, double gamma) {
    Rows rows = Rows.builder(1).add(new double[1], label, "all").build();
    double[] scores = GoldenNumbers.doubles(witness.get("f"));
    return state(rows, GroupMeans.ofEnvironments(rows), scores.length, gamma, scores);
  }

  /** With a column of ones for an anchor; the difference of gamma 3 and 1 is that of ‖P r‖². */
  private static AnchorState severalRows(JsonNode witness, double gamma) {
    int[] labels = GoldenNumbers.ints(witness.get("y"));
    int classes = witness.get("F").get(0).size();
    Rows.Builder builder = Rows.builder(1);
    double[] scores = new double[labels.length * classes];
    double[] ones = new double[labels.length];
    Arrays.fill(ones, 1);
    for (int row = 0; row < labels.length; row++) {
      builder.add(new double[1], labels[row], "all");
      for (int k = 0; k < classes; k++) {
        scores[k * labels.length + row] = witness.get("F").get(row).get(k).asDouble();
      }
    }
    var anchor = new ColumnSpan(new double[][] {ones}, ones);
    return state(builder.build(), anchor, classes, gamma, scores);
  }

  private static AnchorState state(
      Rows rows, Projection anchor, int classes, double gamma, double[] scores) {
    var anchored = new AnchorObjective(new Softmax(classes), rows, anchor, gamma);
    AnchorState state = anchored.newState();
    anchored.evaluate(scores, state);
    return state;
  }

  private static double slope(JsonNode witness, double gamma) {
    AnchorState state = severalRows(witness, gamma);
    double[] gradients = new double[state.outputs() * state.rows];
    state.gradients(gradients);
    return gradients[at(witness, "k") * state.rows + at(witness, "i")];
  }

  private static double curvature(JsonNode witness, double gamma) {
    AnchorState state = severalRows(witness, gamma);
    int rows = state.rows;
    int i = at(witness, "i");
    int k = at(witness, "k");
    double[] within = new double[rows];
    state.curvatures(k, k, true, within);
    int[] unknownOf = new int[rows];
    Arrays.setAll(unknownOf, row -> row);
    double[] between = new double[rows * rows];
    state.addCoupling(new int[] {k}, new int[][] {unknownOf}, rows, between);
    return within[i] + between[i * rows + i];
  }

  private static int at(JsonNode witness, String index) {
    return witness.get(index).asInt();
  }

  private static void close(double actual, JsonNode witness) {
    GoldenNumbers.assertClose("right", actual, witness.get("right").asDouble(), RTOL, 0);
  }
}
