package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenFiles;
import io.holdfast.boosting.GoldenNumbers;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The best split of one column and its gain against the reference vectors (those without L1). */
class GoldenSplitsTest {
  private static final double RTOL = 1e-12;

  @TestFactory
  Stream<DynamicTest> bestSplit() {
    return GoldenFiles.tests(
        "boosting_basics.json",
        vectors ->
            GoldenFiles.entries(vectors.get("split_cases"))
                .filter(node -> node.get("l1").asDouble() == 0)
                .map(node -> DynamicTest.dynamicTest("" + node.get("x"), () -> check(node))));
  }

  private static void check(JsonNode node) {
    double price = node.get("alpha_leaf").asDouble();
    Split split = search(node, price);
    assertThat(split.exists()).isEqualTo(node.get("split_accepted").asBoolean());
    JsonNode best = node.get("candidates").get(node.get("best_candidate").asInt());
    Split unpriced = search(node, 0);
    GoldenNumbers.assertClose(
        "gain", unpriced.gain() - price, best.get("gain").asDouble(), RTOL, RTOL * price);
    double low = best.get("left_max").asDouble();
    double high = best.get("right_min").asDouble();
    assertThat(unpriced.threshold()).isEqualTo(0.5 * (low + high));
    assertThat(unpriced.left().rows()).isEqualTo(best.get("n_left").asInt());
  }

  private static Split search(JsonNode node, double minGain) {
    double[] x = GoldenNumbers.doubles(node.get("x"));
    double[] s = GoldenNumbers.doubles(node.get("s"));
    double[] h = GoldenNumbers.doubles(node.get("h"));
    Rows.Builder rows = Rows.builder(1);
    double[] pairs = new double[2 * x.length];
    double gradient = 0;
    double hessian = 0;
    for (int row = 0; row < x.length; row++) {
      rows.add(new double[] {x[row]}, 0, "all");
      pairs[2 * row] = -s[row];
      pairs[2 * row + 1] = h[row];
      gradient -= s[row];
      hessian += h[row];
    }
    List<Feature> features = List.of(new Feature.Numeric("x"));
    BinnedRows binned = BinnedRows.of(rows.build(), features, 255);
    int[] all = new int[x.length];
    Arrays.setAll(all, row -> row);
    Histogram histogram = new Histogram(binned.cells());
    histogram.fill(binned, all, 0, all.length, pairs);
    var limits = new TreeLimits(2, 1, 1, 0, minGain);
    return new SplitSearch(binned, limits, node.get("lambda").asDouble())
        .best(histogram, new Totals(gradient, hessian, x.length));
  }
}
