package io.holdfast.boosting.split;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenErrata;
import io.holdfast.boosting.GoldenFiles;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.tree.GrowthSettings;
import io.holdfast.boosting.tree.TreeGrower;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The best split of one column and its gain against the reference vectors. */
class GoldenSplitsTest {
  private static final double RTOL = 1e-12;

  @TestFactory
  Stream<DynamicTest> bestSplit() {
    return GoldenFiles.tests(
        "boosting_basics.json",
        vectors ->
            GoldenFiles.entries(vectors.get("split_cases"))
                .map(node -> DynamicTest.dynamicTest(name(node), () -> check(node))));
  }

  /** What a leaf's values are worth, the price of the leaf included. */
  @TestFactory
  Stream<DynamicTest> leafObjectives() {
    return GoldenFiles.tests(
        "boosting_basics.json",
        vectors ->
            GoldenFiles.entries(vectors.get("leaf_cases"))
                .map(
                    node ->
                        DynamicTest.dynamicTest("" + node.get("s"), () -> checkObjective(node))));
  }

  /** Every split that is possible, good or not, and the leaf before it. */
  @TestFactory
  Stream<DynamicTest> candidates() {
    return GoldenFiles.tests(
        "boosting_basics.json",
        vectors ->
            GoldenFiles.entries(vectors.get("split_cases"))
                .map(node -> DynamicTest.dynamicTest(name(node), () -> checkCandidates(node))));
  }

  /** H(B) of the notes: the sum is over leaves, and covers the denominators. */
  @TestFactory
  Stream<DynamicTest> errata() {
    return GoldenErrata.tests(
        Map.of(
            "004-05",
            witness -> {
              double price = witness.get("alpha").asDouble();
              var gains = new ScalarGain(Penalties.ridge(witness.get("lambda").asDouble()));
              double worth = 0;
              for (int leaf = 0; leaf < witness.get("S").size(); leaf++) {
                double gradient = -witness.get("S").get(leaf).asDouble();
                double hessian = witness.get("H").get(leaf).asDouble();
                worth += price - 0.5 * gains.score(gradient, hessian);
              }
              close("H(B)", worth, witness.get("right"));
            }));
  }

  private static void checkObjective(JsonNode node) {
    double gradient = -sum(node.get("s"));
    double score = gains(node).score(gradient, sum(node.get("h")));
    double worth = node.get("alpha_leaf").asDouble() - 0.5 * score;
    close("leaf objective", worth, node.get("leaf_objective"));
  }

  private static void checkCandidates(JsonNode node) {
    double[] x = GoldenNumbers.doubles(node.get("x"));
    double gradient = -sum(node.get("s"));
    double hessian = sum(node.get("h"));
    ScalarGain gains = gains(node);
    double price = node.get("alpha_leaf").asDouble();
    close("parent", price - 0.5 * gains.score(gradient, hessian), node.get("parent_objective"));
    gains.enter(
        new Totals(new double[] {gradient, hessian}, x.length),
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY);
    for (JsonNode candidate : node.get("candidates")) {
      double leftGradient = 0;
      double leftHessian = 0;
      int rows = 0;
      for (int row = 0; row < x.length; row++) {
        if (x[row] <= candidate.get("left_max").asDouble()) {
          leftGradient -= node.get("s").get(row).asDouble();
          leftHessian += node.get("h").get(row).asDouble();
          rows++;
        }
      }
      assertThat(rows).isEqualTo(candidate.get("n_left").asInt());
      double gain = gains.gain(leftGradient, leftHessian);
      close("gain", gain, candidate.get("gain"));
      close("as LightGBM has it", 2 * (gain + price), candidate.get("gain_without_half_and_alpha"));
    }
  }

  private static ScalarGain gains(JsonNode node) {
    double price = node.get("alpha_leaf").asDouble();
    return new ScalarGain(
        new Penalties(node.get("l1").asDouble(), node.get("lambda").asDouble(), price));
  }

  private static double sum(JsonNode array) {
    return Arrays.stream(GoldenNumbers.doubles(array)).sum();
  }

  private static void close(String what, double actual, JsonNode reference) {
    GoldenNumbers.assertClose(what, actual, reference.asDouble(), RTOL, 1e-13);
  }

  private static String name(JsonNode node) {
    return "l1 " + node.get("l1") + ", lambda " + node.get("lambda") + ", x " + node.get("x");
  }

  private static void check(JsonNode node) {
    double price = node.get("alpha_leaf").asDouble();
    assertThat(search(node, price).leaves() == 2).isEqualTo(node.get("split_accepted").asBoolean());
    JsonNode best = node.get("candidates").get(node.get("best_candidate").asInt());
    TreeStructure grown = search(node, 0);
    if (grown.leaves() == 1) { // L1 leaves nothing of any gain
      assertThat(best.get("gain").asDouble()).isLessThanOrEqualTo(-price);
      return;
    }
    GoldenNumbers.assertClose(
        "gain", grown.gain(0) - price, best.get("gain").asDouble(), RTOL, RTOL * price);
    double low = best.get("left_max").asDouble();
    double high = best.get("right_min").asDouble();
    assertThat(grown.withLeafValues(new double[2]).threshold(0)).isEqualTo(0.5 * (low + high));
    assertThat(Arrays.stream(grown.leafOf()).filter(leaf -> leaf == 0).count())
        .isEqualTo(best.get("n_left").asInt());
  }

  private static TreeStructure search(JsonNode node, double price) {
    double[] x = GoldenNumbers.doubles(node.get("x"));
    double[] gradients = GoldenNumbers.doubles(node.get("s"));
    Arrays.setAll(gradients, row -> -gradients[row]);
    Rows.Builder rows = Rows.builder(1);
    for (double value : x) {
      rows.add(new double[] {value}, 0, "all");
    }
    List<Feature> features = List.of(new Feature.Numeric("x"));
    BinnedRows binned = BinnedRows.of(rows.build(), features, 255);
    var penalties = new Penalties(node.get("l1").asDouble(), node.get("lambda").asDouble(), price);
    var settings = GrowthSettings.of(new TreeLimits(2, 1, 1, 0, 0), penalties);
    try (var grower = new TreeGrower(binned, settings)) {
      return grower.grow(gradients, GoldenNumbers.doubles(node.get("h")));
    }
  }
}
