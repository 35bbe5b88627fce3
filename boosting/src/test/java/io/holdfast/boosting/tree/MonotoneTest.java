package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonotoneTest {
  private static final int SIZE = 500;
  private static final TreeLimits LIMITS = new TreeLimits(24, 8, 3, 0, 0);
  private static final List<Integer> DIRECTIONS = List.of(1, -1, 0, 0);

  @ParameterizedTest
  @CsvSource({"0, 0, 1", "0.5, 0, 1", "0, 6, 1", "0.3, -0.5, 1", "0, 0, 0.5"})
  void grow_monotoneColumns_stepsWithinTheBoundsKeepTheOrder(
      double lambda1, double strength, double share) {
    int violatedWithout = 0;
    for (long seed = 0; seed < 8; seed++) {
      Rows rows = SampleRows.of(new Squared(), seed, SIZE, 3);
      GrowthSettings free =
          GrowthSettings.of(LIMITS, new Penalties(lambda1, 0.5, 0))
              .withCoupling(coupling(rows, strength))
              .withSampling(new Sampling(share, 1));
      double[] gradients = gradients(seed, rows);
      TreeStructure bounded = grow(rows, free.withMonotone(DIRECTIONS), gradients, seed);
      assertThat(bounded.leaves()).isGreaterThan(8);
      assertThat(violations(bounded.withLeafValues(steps(bounded, gradients, lambda1)), seed))
          .isZero();
      // Any other steps within the bounds keep it as well: here one end or the other.
      assertThat(violations(bounded.withLeafValues(anySteps(bounded, seed)), seed)).isZero();
      TreeStructure unbounded = grow(rows, free, gradients, seed);
      violatedWithout +=
          violations(unbounded.withLeafValues(steps(unbounded, gradients, lambda1)), seed);
      for (int leaf = 0; leaf < unbounded.leaves(); leaf++) {
        assertThat(unbounded.lowerBound(leaf)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(unbounded.upperBound(leaf)).isEqualTo(Double.POSITIVE_INFINITY);
      }
    }
    assertThat(violatedWithout).isPositive();
  }

  @Test
  void grow_monotoneSplit_boundIsHalfWayBetweenTheSteps() {
    double[] x = {1, 1, 2, 2, 2, 2};
    double[] gradients = {3, 3, -1, -1, -1, -1}; // steps −3 and 1
    TreeStructure grown = grow(x, gradients, 1);
    assertThat(grown.upperBound(0)).isEqualTo(-1);
    assertThat(grown.lowerBound(1)).isEqualTo(-1);
    assertThat(grown.lowerBound(0)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(grown.upperBound(1)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(grow(x, gradients, -1).leaves()).isOne();
    assertThat(grow(x, new double[6], 1).leaves()).isOne();
  }

  @Test
  void grow_missingAgainstPresent_isNoMatterOfOrder() {
    double[] x = {1, 1, Double.NaN, Double.NaN};
    for (int direction : new int[] {1, -1}) {
      TreeStructure grown = grow(x, new double[] {3, 3, -1, -1}, direction);
      assertThat(grown.leaves()).isEqualTo(2);
      assertThat(grown.upperBound(0)).isEqualTo(Double.POSITIVE_INFINITY);
    }
  }

  @Test
  void grower_settingsThatDoNotFit_isAClearError() {
    Rows rows = SampleRows.of(new Squared(), 1, 20, 2);
    BinnedRows binned = BinnedRows.of(rows, SampleRows.FEATURES, 255);
    GrowthSettings settings = GrowthSettings.of(LIMITS, Penalties.ridge(1));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new TreeGrower(binned, settings.withMonotone(List.of(0, 0, 0, 1))).close())
        .withMessage(
            "column 3 must not be monotone, since its values are categories, which have no order");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TreeGrower(binned, settings.withMonotone(List.of(1))).close())
        .withMessage("monotone must have an entry for each of 4 columns: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withMonotone(List.of(2)))
        .withMessage("monotone must be -1, 0 or 1 for each column: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withOutputs(3).withMonotone(List.of(0, 1, 0, 0)))
        .withMessage("monotone columns need leaves of one value: outputs is 3");
  }

  /** How often raising a monotone value moves a random row's leaf value the wrong way. */
  private static int violations(Tree tree, long seed) {
    var random = new SplittableRandom(seed);
    int violations = 0;
    for (int k = 0; k < 3000; k++) {
      double[] features = SampleRows.values(random);
      int column = k % 2;
      double[] ends = {SampleRows.values(random)[column], SampleRows.values(random)[column]};
      Arrays.sort(ends);
      if (Double.isNaN(ends[1])) {
        continue; // has no place in the order
      }
      features[column] = ends[0];
      double low = tree.leafValue(tree.leafOf(features));
      features[column] = ends[1];
      double high = tree.leafValue(tree.leafOf(features));
      violations += DIRECTIONS.get(column) * (high - low) < 0 ? 1 : 0;
    }
    return violations;
  }

  private static double[] steps(TreeStructure grown, double[] gradients, double lambda1) {
    double[] sums = new double[grown.leaves()];
    double[] rows = new double[grown.leaves()];
    int[] leafOf = grown.leafOf();
    for (int row = 0; row < leafOf.length; row++) {
      sums[leafOf[row]] += gradients[row];
      rows[leafOf[row]]++;
    }
    double[] steps = new double[grown.leaves()];
    for (int leaf = 0; leaf < steps.length; leaf++) {
      double shrunk = Math.max(Math.abs(sums[leaf]) - lambda1, 0);
      double step = -Math.copySign(shrunk, sums[leaf]) / (rows[leaf] + 0.5);
      steps[leaf] = Math.clamp(step, grown.lowerBound(leaf), grown.upperBound(leaf));
    }
    return steps;
  }

  private static double[] anySteps(TreeStructure grown, long seed) {
    var random = new SplittableRandom(seed);
    double[] steps = new double[grown.leaves()];
    for (int leaf = 0; leaf < steps.length; leaf++) {
      double end = random.nextBoolean() ? grown.lowerBound(leaf) : grown.upperBound(leaf);
      steps[leaf] = Math.clamp(end, -1e6, 1e6);
    }
    return steps;
  }

  private static TreeStructure grow(
      Rows rows, GrowthSettings settings, double[] gradients, long seed) {
    BinnedRows binned = BinnedRows.of(rows, SampleRows.FEATURES, 40);
    try (var grower = new TreeGrower(binned, settings)) {
      return grower.grow(gradients, ones(gradients.length), seed);
    }
  }

  private static TreeStructure grow(double[] x, double[] gradients, int direction) {
    Rows.Builder rows = Rows.builder(1);
    for (double value : x) {
      rows.add(new double[] {value}, 0, "all");
    }
    var settings =
        GrowthSettings.of(new TreeLimits(9, 9, 1, 0, 0), Penalties.ridge(0))
            .withMonotone(List.of(direction));
    List<Feature> features = List.of(new Feature.Numeric("x"));
    try (var grower = new TreeGrower(BinnedRows.of(rows.build(), features, 255), settings)) {
      return grower.grow(gradients, ones(x.length));
    }
  }

  private static double[] gradients(long seed, Rows rows) {
    var random = new SplittableRandom(seed);
    double[] gradients = new double[rows.size()];
    for (int row = 0; row < gradients.length; row++) {
      gradients[row] = -rows.label(row) + 0.25 * rows.feature(row, 1) + random.nextDouble();
      if (Double.isNaN(gradients[row])) {
        gradients[row] = -1;
      }
    }
    return gradients;
  }

  private static double[] ones(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static AnchorCoupling coupling(Rows rows, double strength) {
    int[] groupOf = new int[rows.size()];
    double[] weights = new double[rows.environments().size()];
    for (int row = 0; row < groupOf.length; row++) {
      groupOf[row] = rows.environment(row);
      weights[groupOf[row]]++;
    }
    return new AnchorCoupling(groupOf, weights, strength);
  }
}
