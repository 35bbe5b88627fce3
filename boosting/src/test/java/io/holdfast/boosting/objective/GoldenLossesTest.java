package io.holdfast.boosting.objective;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenFiles;
import io.holdfast.boosting.GoldenNumbers;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Losses and derivatives against the reference vectors, row by row, at their tolerances. */
class GoldenLossesTest {
  private static final double RTOL = 1e-10;
  private static final double ATOL = 1e-300;

  @TestFactory
  Stream<DynamicTest> squared() {
    return rows("losses_regression.json", new Squared());
  }

  @TestFactory
  Stream<DynamicTest> logistic() {
    return rows("losses_binary.json", new Logistic());
  }

  @TestFactory
  Stream<DynamicTest> probit() {
    return rows("losses_binary.json", new Probit());
  }

  private static Stream<DynamicTest> rows(String file, ScalarObjective objective) {
    return GoldenFiles.tests(
        file,
        vectors ->
            GoldenFiles.entries(vectors.get("losses").get(objective.name()))
                .map(row -> DynamicTest.dynamicTest(id(row), () -> check(objective, row))));
  }

  private static String id(JsonNode row) {
    return row.get("id").asText();
  }

  private static void check(ScalarObjective objective, JsonNode row) {
    double score = row.get("f").asDouble();
    double label = row.get("y").asDouble();
    compare(row, "L", objective.loss(label, score));
    compare(row, "g", objective.gradient(label, score));
    compare(row, "h", objective.hessian(label, score));
    compare(row, "t", objective.thirdDerivative(label, score));
  }

  private static void compare(JsonNode row, String quantity, double actual) {
    JsonNode tolerance = row.path("tol").path(quantity);
    GoldenNumbers.assertClose(
        quantity,
        actual,
        row.get(quantity).asDouble(),
        tolerance.path("rtol").asDouble(RTOL),
        tolerance.path("atol").asDouble(ATOL));
  }
}
