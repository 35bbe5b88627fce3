package io.holdfast.boosting;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.ColumnSpan;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** One case of the anchor reference vectors. */
public record GoldenAnchorCase(JsonNode node) {
  private static final double RTOL = 1e-10;

  /** Tests of all cases of every loss and anchor design. */
  public static Stream<DynamicTest> tests(Consumer<GoldenAnchorCase> check) {
    return GoldenFiles.testsOfAll("anchor_", vectors -> tests(vectors, check));
  }

  private static Stream<DynamicTest> tests(JsonNode vectors, Consumer<GoldenAnchorCase> check) {
    return GoldenFiles.entries(vectors.get("cases"))
        .map(GoldenAnchorCase::new)
        .map(golden -> DynamicTest.dynamicTest(golden.name(), () -> check.accept(golden)));
  }

  /** For the name of a test. */
  public String name() {
    return node.get("id").asText() + " " + node.get("anchor").path("design").asText();
  }

  public int size() {
    return node.get("n").asInt();
  }

  /** How many raw scores a row has. */
  public int outputs() {
    return Math.max(1, node.get("f").get(0).size());
  }

  public double lambda() {
    return node.get("lambda").asDouble();
  }

  public int leaves() {
    return node.get("J").asInt();
  }

  public int[] leafOf() {
    return GoldenNumbers.ints(node.get("leaves"));
  }

  /** The projection of the case's anchor. */
  public Projection projection() {
    JsonNode anchor = node.get("anchor");
    double[] weights = new double[size()];
    Arrays.fill(weights, 1);
    if (anchor.get("type").asText().equals("categorical")) {
      int[] codes = GoldenNumbers.ints(anchor.get("codes"));
      return new GroupMeans(codes, Arrays.stream(codes).max().orElseThrow() + 1, weights);
    }
    JsonNode rows = anchor.get("rows");
    double[][] columns = new double[rows.get(0).size()][size()];
    for (int row = 0; row < size(); row++) {
      for (int column = 0; column < columns.length; column++) {
        columns[column][row] = rows.get(row).get(column).asDouble();
      }
    }
    return new ColumnSpan(columns, weights);
  }

  /** The anchor objective at the case's scores. */
  public AnchorState state() {
    Rows.Builder rows = Rows.builder(1);
    for (double label : GoldenNumbers.doubles(node.get("y"))) {
      rows.add(new double[1], label, "all");
    }
    double gamma = node.get("gamma").asDouble();
    Objective objective =
        GoldenObjectives.of(node.get("loss").asText(), node.path("params"), outputs());
    var anchored = new AnchorObjective(objective, rows.build(), projection(), gamma);
    AnchorState state = anchored.newState();
    anchored.evaluate(byOutput(GoldenNumbers.doubles(node.get("f"))), state);
    return state;
  }

  /** Whether there is such a reference. */
  public boolean has(String quantity) {
    return node.get("out").has(quantity);
  }

  /** A reference, as numbers row by row. */
  public double[] reference(String quantity) {
    JsonNode value = node.get("out").get(quantity);
    return value.isArray() ? GoldenNumbers.doubles(value) : new double[] {value.asDouble()};
  }

  /** A reference with an entry a row and output, output by output as raw scores stand. */
  public double[] referenceByOutput(String quantity) {
    return byOutput(reference(quantity));
  }

  /** Compares at the case's tolerance, in the max-norm. */
  public void assertMatches(String quantity, double... actual) {
    assertMatches(quantity, reference(quantity), actual);
  }

  /** Compares what has an entry a row and output, output by output. */
  public void assertMatchesByOutput(String quantity, double... actual) {
    assertMatches(quantity, referenceByOutput(quantity), actual);
  }

  /** Compares one output's part of a reference that has one for each. */
  public void assertMatches(String quantity, int output, double... actual) {
    JsonNode value = node.get("out").get(quantity);
    JsonNode part = outputs() == 1 ? value : value.get(output);
    assertMatches(quantity, GoldenNumbers.doubles(part), actual);
  }

  private void assertMatches(String quantity, double[] reference, double[] actual) {
    double[] scale = quantity.equals("Pr") ? reference("r") : reference;
    double rtol = node.path("tol").path(quantity).path("rtol").asDouble(RTOL);
    GoldenNumbers.assertCloseInMaxNorm(
        quantity, actual, reference, rtol, GoldenNumbers.maxNorm(scale));
  }

  private double[] byOutput(double[] byRow) {
    double[] byOutput = new double[byRow.length];
    for (int k = 0; k < byRow.length; k++) {
      byOutput[k % outputs() * size() + k / outputs()] = byRow[k];
    }
    return byOutput;
  }
}
