package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenFiles;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.List;
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
