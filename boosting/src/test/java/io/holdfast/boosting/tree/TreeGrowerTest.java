package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeGrowerTest {
  private static final List<Feature> ONE = List.of(new Feature.Numeric("x"));
  private static final List<Feature> KINDS =
      List.of(new Feature.Categorical("kind", List.of("a", "b", "c", "d", "e", "f")));
  private static final double MISSING = Double.NaN;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void grow_anyRows_treeSendsTheRowsToTheirLeaves(long seed) {
    Rows rows = SampleRows.of(new Squared(), seed, 700, 3);
    var limits = new TreeLimits(20, 6, 5, 1, 0);
    TreeStructure grown =
        grower(rows, SampleRows.FEATURES, limits, 16).grow(random(seed, 700), ones(700));
    double[] leafNumbers = new double[grown.leaves()];
    Arrays.setAll(leafNumbers, leaf -> leaf);
    Tree tree = grown.withLeafValues(leafNumbers);
    assertThat(grown.leaves()).isGreaterThan(5);
    double[] features = new double[rows.width()];
    int[] leafOf = grown.leafOf();
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      assertThat(tree.leafOf(features)).as("row %s", row).isEqualTo(leafOf[row]);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void grow_oneSplit_gainsAsMuchAsTheBestOfAll(long seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[40];
    Arrays.setAll(x, k -> random.nextInt(5) == 0 ? MISSING : random.nextInt(9));
    double[] gradients = random(seed, 40);
    double lambda = 0.5;
    TreeStructure grown =
        grower(BinnedRows.of(rows(x), ONE, 255), new TreeLimits(2, 1, 3, 0, 0), lambda)
            .grow(gradients, ones(40));
    double best = 0;
    for (double cut : new double[] {-0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5}) {
      for (boolean missingLeft : new boolean[] {false, true}) {
        boolean[] left = new boolean[x.length];
        for (int row = 0; row < x.length; row++) {
          left[row] = Double.isNaN(x[row]) ? missingLeft : x[row] <= cut;
        }
        best = Math.max(best, gain(left, gradients, lambda, 3));
      }
    }
    boolean[] left = new boolean[x.length];
    int[] leafOf = grown.leafOf();
    for (int row = 0; row < x.length; row++) {
      left[row] = leafOf[row] == 0;
    }
    assertThat(gain(left, gradients, lambda, 3)).isCloseTo(best, within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void grow_oneSplitByCategory_noSetGainsMore(long seed) {
    var random = new SplittableRandom(seed);
    // As many rows of each category, so that smoothing keeps the order of the ratios.
    double[] x = new double[60];
    Arrays.setAll(x, k -> k % 6);
    double[] gradients = new double[60];
    Arrays.setAll(gradients, k -> random.nextDouble() - 0.5 + 0.3 * ((k % 6) * 7 % 4));
    TreeStructure grown =
        grower(BinnedRows.of(rows(x), KINDS, 255), new TreeLimits(2, 1, 1, 0, 0), 0.1)
            .grow(gradients, ones(60));
    double best = 0;
    for (int set = 1; set < 63; set++) {
      boolean[] left = new boolean[60];
      for (int row = 0; row < 60; row++) {
        left[row] = (set >> (row % 6) & 1) != 0;
      }
      best = Math.max(best, gain(left, gradients, 0.1, 1));
    }
    boolean[] left = new boolean[60];
    int[] leafOf = grown.leafOf();
    for (int row = 0; row < 60; row++) {
      left[row] = leafOf[row] == 0;
    }
    assertThat(gain(left, gradients, 0.1, 1)).isCloseTo(best, within(1e-12));
  }

  @Test
  void grow_limits_areKept() {
    Rows rows = SampleRows.of(new Squared(), 3, 600, 2);
    var limits = new TreeLimits(12, 4, 30, 35, 0.2);
    TreeStructure grown =
        grower(rows, SampleRows.FEATURES, limits, 255).grow(random(5, 600), ones(600));
    int[] sizes = new int[grown.leaves()];
    for (int leaf : grown.leafOf()) {
      sizes[leaf]++;
    }
    assertThat(grown.leaves()).isBetween(2, 12);
    for (int size : sizes) {
      assertThat(size).isGreaterThanOrEqualTo(35);
    }
    assertThat(depth(grown.withLeafValues(new double[grown.leaves()]), 0)).isLessThanOrEqualTo(4);
  }

  @Test
  void grow_gainNotAboveItsPrice_isOneLeaf() {
    double[] x = {1, 1, 2, 2};
    double[] gradients = {-1, -1, 1, 1};
    // ½ (4/2 + 4/2 − 0) = 2 exactly
    assertThat(grow(x, gradients, new TreeLimits(2, 1, 1, 0, 2)).leaves()).isEqualTo(1);
    assertThat(grow(x, gradients, new TreeLimits(2, 1, 1, 0, Math.nextDown(2.0))).leaves())
        .isEqualTo(2);
  }

  @Test
  void grow_constantAndMissingOnlyColumns_areNotSplit() {
    Rows.Builder rows = Rows.builder(3);
    for (int row = 0; row < 50; row++) {
      rows.add(new double[] {7, MISSING, row}, 0, "all");
    }
    var features =
        List.<Feature>of(
            new Feature.Numeric("constant"), new Feature.Numeric("missing"), ONE.getFirst());
    TreeStructure grown =
        grower(rows.build(), features, new TreeLimits(8, 4, 1, 0, 0), 255)
            .grow(random(1, 50), ones(50));
    Tree tree = grown.withLeafValues(new double[grown.leaves()]);
    assertThat(tree.innerNodes()).isGreaterThan(2);
    for (int node = 0; node < tree.innerNodes(); node++) {
      assertThat(tree.feature(node)).isEqualTo(2);
    }
  }

  @Test
  void grow_missingAgainstPresent_thresholdAboveEverything() {
    double[] x = {1, MISSING, 2, MISSING, 3};
    Tree tree = stump(x, new double[] {-1, 1, -1, 1, -1});
    assertThat(tree.threshold(0)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(tree.missingLeft(0)).isFalse();
  }

  @Test
  void grow_missingLikeTheHighValues_goesWithThem() {
    double[] x = {1, 1, 9, 9, MISSING};
    assertThat(stump(x, new double[] {-1, -1, 1, 1, 1}).missingLeft(0)).isFalse();
    assertThat(stump(x, new double[] {1, 1, -1, -1, 1}).missingLeft(0)).isTrue();
  }

  @Test
  void grow_noMissingSeen_laterOnesGoWithMoreRows() {
    assertThat(stump(new double[] {1, 1, 1, 9}, new double[] {-1, -1, -1, 1}).missingLeft(0))
        .isTrue();
    assertThat(stump(new double[] {1, 9, 9, 9}, new double[] {-1, 1, 1, 1}).missingLeft(0))
        .isFalse();
    assertThat(stump(new double[] {1, 1, 9, 9}, new double[] {-1, -1, 1, 1}).missingLeft(0))
        .isTrue();
  }

  @Test
  void grow_gapInTheLeaf_cutsBelowTheNextValueOfAnyRow() {
    // After the first split the left leaf holds 1, 2 and 8; 5 is in the other leaf by column 0.
    Rows.Builder rows = Rows.builder(2);
    double[][] values = {{0, 1}, {0, 2}, {0, 8}, {1, 5}, {1, 5}, {1, 5}};
    for (double[] row : values) {
      rows.add(row, 0, "all");
    }
    var features = List.<Feature>of(new Feature.Numeric("a"), new Feature.Numeric("b"));
    TreeStructure grown =
        grower(rows.build(), features, new TreeLimits(3, 2, 1, 0, 0), 255)
            .grow(new double[] {-1, -1, -3, 9, 9, 9}, ones(6));
    Tree tree = grown.withLeafValues(new double[3]);
    assertThat(tree.feature(0)).isZero();
    assertThat(tree.feature(1)).isEqualTo(1);
    assertThat(tree.threshold(1)).isEqualTo(6.5);
  }

  @Test
  void grow_equalGains_lowestColumnThenLowestThreshold() {
    Rows.Builder rows = Rows.builder(2);
    for (double value : new double[] {1, 2, 3}) {
      rows.add(new double[] {value, value}, 0, "all");
    }
    var features = List.<Feature>of(new Feature.Numeric("a"), new Feature.Numeric("b"));
    Tree tree =
        grower(rows.build(), features, new TreeLimits(2, 1, 1, 0, 0), 255)
            .grow(new double[] {1, 0, 1}, ones(3))
            .withLeafValues(new double[2]);
    assertThat(tree.feature(0)).isZero();
    assertThat(tree.threshold(0)).isEqualTo(1.5);
  }

  @Test
  void grow_categories_unseenOneGoesWhereMissingGoes() {
    double[] x = {0, 0, 1, 1, 2, 2, MISSING};
    double[] gradients = {-1, -1, 1, 1, -1, -1, -1};
    Tree tree =
        grower(rows(x), KINDS, new TreeLimits(2, 1, 1, 0, 0), 255)
            .grow(gradients, ones(7))
            .withLeafValues(new double[2]);
    assertThat(tree.categorySet(0)).containsExactly(0b010);
    assertThat(tree.missingLeft(0)).isFalse();
    for (double elsewhere : new double[] {MISSING, 0, 2, 5, 77}) {
      assertThat(tree.leafOf(new double[] {elsewhere})).isEqualTo(1);
    }
    // And with the missing row among the others, the set holds what is away from it.
    gradients[6] = 1;
    Tree other =
        grower(rows(x), KINDS, new TreeLimits(2, 1, 1, 0, 0), 255)
            .grow(gradients, ones(7))
            .withLeafValues(new double[2]);
    assertThat(other.categorySet(0)).containsExactly(0b101);
    assertThat(other.leafOf(new double[] {5})).isEqualTo(other.leafOf(new double[] {MISSING}));
  }

  @Test
  void grow_twiceWithOneGrower_sameTree() {
    Rows rows = SampleRows.of(new Squared(), 9, 400, 2);
    TreeGrower grower = grower(rows, SampleRows.FEATURES, new TreeLimits(15, 5, 3, 0, 0), 64);
    TreeStructure first = grower.grow(random(2, 400), ones(400));
    grower.grow(random(3, 400), ones(400));
    TreeStructure again = grower.grow(random(2, 400), ones(400));
    double[] values = new double[first.leaves()];
    assertThat(again.withLeafValues(values)).isEqualTo(first.withLeafValues(values));
    assertThat(again.leafOf()).isEqualTo(first.leafOf());
  }

  private static TreeGrower grower(
      Rows rows, List<Feature> features, TreeLimits limits, int maxBins) {
    return grower(BinnedRows.of(rows, features, maxBins), limits, 0);
  }

  private static TreeGrower grower(BinnedRows binned, TreeLimits limits, double lambda) {
    return new TreeGrower(binned, GrowthSettings.of(limits, Penalties.ridge(lambda)));
  }

  private static TreeStructure grow(double[] x, double[] gradients, TreeLimits limits) {
    return grower(rows(x), ONE, limits, 255).grow(gradients, ones(x.length));
  }

  private static Tree stump(double[] x, double[] gradients) {
    return grow(x, gradients, new TreeLimits(2, 1, 1, 0, 0)).withLeafValues(new double[2]);
  }

  private static Rows rows(double[] x) {
    Rows.Builder rows = Rows.builder(1);
    for (double value : x) {
      rows.add(new double[] {value}, 0, "all");
    }
    return rows.build();
  }

  private static double[] random(long seed, int size) {
    var random = new SplittableRandom(seed);
    double[] values = new double[size];
    Arrays.setAll(values, k -> random.nextDouble() - 0.4);
    return values;
  }

  private static double[] ones(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** With hessian 1 a row; 0 if a side has too few rows. */
  private static double gain(boolean[] left, double[] gradients, double lambda, int minRows) {
    double[] sums = new double[2];
    int[] counts = new int[2];
    for (int row = 0; row < left.length; row++) {
      sums[left[row] ? 0 : 1] += gradients[row];
      counts[left[row] ? 0 : 1]++;
    }
    if (Math.min(counts[0], counts[1]) < minRows) {
      return 0;
    }
    double total = sums[0] + sums[1];
    return 0.5
        * (sums[0] * sums[0] / (counts[0] + lambda)
            + sums[1] * sums[1] / (counts[1] + lambda)
            - total * total / (left.length + lambda));
  }

  private static int depth(Tree tree, int node) {
    return node < 0 ? 0 : 1 + Math.max(depth(tree, tree.left(node)), depth(tree, tree.right(node)));
  }
}
