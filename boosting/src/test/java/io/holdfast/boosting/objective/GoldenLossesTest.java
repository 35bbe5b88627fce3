package io.holdfast.boosting.objective;

import static io.holdfast.boosting.GoldenNumbers.doubles;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenFiles;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.GoldenObjectives;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.OrdinalLink.OrdinalTerms;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Losses and derivatives against the reference vectors, row by row, at their tolerances. */
class GoldenLossesTest {
  private static final double RTOL = 1e-10;
  private static final double ATOL = 1e-300;

  @TestFactory
  Stream<DynamicTest> losses() {
    return GoldenFiles.testsOfAll(
        "losses_",
        vectors -> vectors.get("losses").properties().stream().flatMap(GoldenLossesTest::rows));
  }

  private static Stream<DynamicTest> rows(Map.Entry<String, JsonNode> family) {
    return GoldenFiles.entries(family.getValue())
        .map(
            row ->
                DynamicTest.dynamicTest(row.get("id").asText(), () -> check(family.getKey(), row)));
  }

  private static void check(String family, JsonNode row) {
    int outputs = Math.max(1, row.get("f").size());
    Objective objective = GoldenObjectives.of(family, row.path("params"), outputs);
    double label = row.get("y").asDouble();
    switch (objective) {
      case Calibrated _ -> throw new AssertionError("no family corrects probabilities");
      case Softmax softmax -> check(softmax, label, row);
      case ScalarObjective scalar -> {
        check(scalar, label, row);
        if (scalar instanceof Ordinal ordinal && row.has("g_theta")) {
          compare(row, "g_theta", thresholdSlopes(ordinal, label, row.get("f").asDouble()));
        }
      }
    }
  }

  private static void check(ScalarObjective objective, double label, JsonNode row) {
    double score = row.get("f").asDouble();
    compare(row, "L", objective.loss(label, score));
    compare(row, "g", objective.derivatives(label, score).first);
    compare(row, "h", objective.derivatives(label, score).second);
    compare(row, "t", objective.derivatives(label, score).third);
  }

  private static double[] thresholdSlopes(Ordinal ordinal, double label, double score) {
    double[] slopes = new double[ordinal.classes() - 1];
    OrdinalTerms terms = ordinal.terms(label, score);
    if (label > 0) {
      slopes[(int) label - 1] = terms.lowerSlope();
    }
    if (label < slopes.length) {
      slopes[(int) label] = terms.upperSlope();
    }
    return slopes;
  }

  /** What training works with; the third derivative enters it only in products. */
  private static void check(Softmax softmax, double label, JsonNode row) {
    int classes = softmax.classes();
    double[] scores = doubles(row.get("f"));
    Rows rows = Rows.builder(1).add(new double[1], label, "all").build();
    var anchored = new AnchorObjective(softmax, rows, GroupMeans.ofEnvironments(rows), 1);
    AnchorState state = anchored.newState();
    anchored.evaluate(scores, state);
    double[] first = new double[classes];
    double[] second = new double[classes];
    state.gradients(first);
    state.growthHessians(second);
    double[] hessian = new double[classes * classes];
    double[] entry = new double[1];
    for (int k = 0; k < classes; k++) {
      for (int j = 0; j < classes; j++) {
        state.hessians(k, j, entry);
        hessian[k * classes + j] = entry[0];
      }
    }
    double[] p = new double[classes];
    double[] q = new double[classes];
    softmax.loss(0, scores, 0, 1, p, q);
    double[] third = new double[classes];
    Arrays.setAll(third, k -> p[k] * q[k] * (q[k] - p[k]));
    compare(row, "L", softmax.loss(label, scores));
    compare(row, "L", state.loss().total());
    compare(row, "g", first);
    compare(row, "h", second);
    compare(row, "t", third);
    if (row.has("H")) {
      compare(row, "H", hessian);
    }
  }

  private static void compare(JsonNode row, String quantity, double... actual) {
    JsonNode value = row.get(quantity);
    double[] reference = value.isArray() ? doubles(value) : new double[] {value.asDouble()};
    JsonNode tolerance = row.path("tol").path(quantity);
    for (int k = 0; k < reference.length; k++) {
      GoldenNumbers.assertClose(
          quantity,
          actual[k],
          reference[k],
          tolerance.path("rtol").asDouble(RTOL),
          tolerance.path("atol").asDouble(ATOL));
    }
  }
}
