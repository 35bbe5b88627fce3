package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenErrata;
import io.holdfast.boosting.GoldenFiles;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;
import io.holdfast.boosting.objective.Squared;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Worked examples of one round, and leaf values, against the reference vectors. */
class GoldenBasicsTest {
  private static final String FILE = "boosting_basics.json";
  private static final double RTOL = 1e-12;

  @TestFactory
  Stream<DynamicTest> firstRound() {
    return GoldenFiles.tests(
        FILE,
        vectors ->
            GoldenFiles.entries(vectors.get("gradient_boosting_examples"))
                .map(node -> DynamicTest.dynamicTest(name(node), () -> checkFirstRound(node))));
  }

  @TestFactory
  Stream<DynamicTest> leafValues() {
    return GoldenFiles.tests(
        FILE,
        vectors ->
            GoldenFiles.entries(vectors.get("leaf_cases"))
                .map(node -> DynamicTest.dynamicTest("" + node.get("s"), () -> checkLeaf(node))));
  }

  /** The leaf values of the best split of each case. */
  @TestFactory
  Stream<DynamicTest> splitLeafValues() {
    return GoldenFiles.tests(
        FILE,
        vectors ->
            GoldenFiles.entries(vectors.get("split_cases"))
                .map(node -> DynamicTest.dynamicTest("" + node.get("s"), () -> checkSplit(node))));
  }

  /** The second leaf of the notes' first example is −3/4, which they show as −0.77. */
  @TestFactory
  Stream<DynamicTest> errata() {
    return GoldenErrata.tests(
        Map.of(
            "002-07",
            witness -> {
              double[] labels = {1, 1, 0};
              double[] scores = new double[3];
              Arrays.fill(scores, StrictMath.log(2));
              AnchorState state =
                  stateAt((ScalarObjective) Objective.named("logistic"), rows(labels), scores);
              double[] values =
                  LeafSystem.newton(state, Layouts.of(new int[] {0, 1, 1}, 2), 0, 0)
                      .step()
                      .times(1);
              assertThat(values[0]).isCloseTo(1.5, within(1e-15));
              close("second leaf", values[1], witness.get("right"));
            }));
  }

  private static String name(JsonNode node) {
    return node.get("name").asText();
  }

  private static void checkFirstRound(JsonNode node) {
    ScalarObjective objective = (ScalarObjective) Objective.named(node.get("kind").asText());
    double[] labels = GoldenNumbers.doubles(node.get("y"));
    Rows rows = rows(labels);
    double start = objective.initialScore(rows);
    close("initial score", start, node.has("init") ? node.get("init") : node.get("log_odds"));
    if (node.has("p0")) {
      close("initial probability", objective.prediction(start), node.get("p0"));
    }
    double[] scores = new double[labels.length];
    Arrays.fill(scores, start);
    AnchorState state = stateAt(objective, rows, scores);
    int[] leafOf = GoldenNumbers.ints(node.get("leaves"));
    double[] expected = GoldenNumbers.doubles(node.get("leaf_values"));
    double[] values =
        LeafSystem.newton(state, Layouts.of(leafOf, expected.length), 0, 0).step().times(1);
    for (int row = 0; row < labels.length; row++) {
      close(
          "residual",
          -objective.derivatives(labels[row], start).first,
          node.get("residuals").get(row));
      double score = start + node.get("learning_rate").asDouble() * values[leafOf[row]];
      close("score", score, node.get("f1").get(row));
      if (node.has("p1")) {
        close("probability", objective.prediction(score), node.get("p1").get(row));
      }
    }
    GoldenNumbers.assertCloseInMaxNorm(
        "leaf values", values, expected, RTOL, GoldenNumbers.maxNorm(expected));
  }

  private static void checkLeaf(JsonNode node) {
    double lambda = node.get("lambda").asDouble();
    LeafSystem system = system(node, new int[node.get("s").size()], 1);
    close("H", system.curvature(0, 0) - lambda, node.get("H"));
    close("S", -system.gradient(0), node.get("S"));
    close("leaf value", system.step().times(1)[0], node.get("leaf_value"));
  }

  private static void checkSplit(JsonNode node) {
    JsonNode best = node.get("candidates").get(node.get("best_candidate").asInt());
    double leftMax = best.get("left_max").asDouble();
    int[] leafOf = new int[node.get("x").size()];
    Arrays.setAll(leafOf, row -> node.get("x").get(row).asDouble() <= leftMax ? 0 : 1);
    double[] values = system(node, leafOf, 2).step().times(1);
    JsonNode expected = node.path("leaf_values"); // nothing if the split is not worth its price
    for (int leaf = 0; leaf < expected.size(); leaf++) {
      close("leaf value " + leaf, values[leaf], expected.get(leaf));
    }
  }

  /** Weight h, label s/h and score 0 give {@code squared} the gradient −s and the hessian h. */
  private static LeafSystem system(JsonNode node, int[] leafOf, int leaves) {
    double[] s = GoldenNumbers.doubles(node.get("s"));
    double[] h = GoldenNumbers.doubles(node.get("h"));
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < s.length; row++) {
      builder.add(new double[1], s[row] / h[row], h[row], "all");
    }
    AnchorState state = stateAt(new Squared(), builder.build(), new double[s.length]);
    double lambda1 = node.get("l1").asDouble();
    double lambda2 = node.get("lambda").asDouble();
    return LeafSystem.newton(state, Layouts.of(leafOf, leaves), lambda1, lambda2);
  }

  private static Rows rows(double... labels) {
    Rows.Builder builder = Rows.builder(1);
    for (double label : labels) {
      builder.add(new double[1], label, "all");
    }
    return builder.build();
  }

  private static AnchorState stateAt(ScalarObjective objective, Rows rows, double[] scores) {
    var anchored = new AnchorObjective(objective, rows, GroupMeans.ofEnvironments(rows), 1);
    AnchorState state = anchored.newState();
    anchored.evaluate(scores, state);
    assertThat(state.loss().penalty()).isZero();
    return state;
  }

  private static void close(String what, double actual, JsonNode reference) {
    GoldenNumbers.assertClose(what, actual, reference.asDouble(), RTOL, 1e-15);
  }
}
