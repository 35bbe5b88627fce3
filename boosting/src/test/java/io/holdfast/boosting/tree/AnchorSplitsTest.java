package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.histogram.RowSamples;
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

/** Splits that are chosen for what they gain after the coupling by environments. */
class AnchorSplitsTest {
  private static final int SIZE = 600;
  private static final int GROUPS = 5;
  private static final TreeLimits LIMITS = new TreeLimits(16, 6, 5, 1, 0);
  private static final GrowthSettings RIDGE = GrowthSettings.of(LIMITS, Penalties.ridge(0.5));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void grow_noStrength_isThePlainTreeBitForBit(long seed) {
    Sample sample = new Sample(seed);
    for (GrowthSettings settings :
        List.of(
            RIDGE,
            RIDGE.withSampling(new Sampling(0.5, 0.7)),
            RIDGE.withMonotone(List.of(1, 0, 0, 0)))) {
      TreeStructure plain = sample.grow(settings);
      TreeStructure coupled = sample.grow(settings.withCoupling(sample.coupling(0)));
      assertThat(tree(coupled)).isEqualTo(tree(plain));
      assertThat(coupled.leafOf()).isEqualTo(plain.leafOf());
      for (int node = 0; node < plain.leaves() - 1; node++) {
        assertThat(coupled.gain(node)).isEqualTo(plain.gain(node));
      }
    }
  }

  /** The coupled gain is no other formula where there is nearly no coupling. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-12, -1e-12})
  void grow_nearlyNoStrength_isThePlainTree(double strength) {
    for (double lambda1 : new double[] {0, 0.4}) {
      Sample sample = new Sample(7);
      GrowthSettings settings = GrowthSettings.of(LIMITS, new Penalties(lambda1, 0.5, 0.01));
      TreeStructure plain = sample.grow(settings);
      TreeStructure coupled = sample.grow(settings.withCoupling(sample.coupling(strength)));
      assertThat(tree(coupled)).isEqualTo(tree(plain));
      for (int node = 0; node < plain.leaves() - 1; node++) {
        assertThat(coupled.gain(node)).isCloseTo(plain.gain(node), within(1e-8));
      }
    }
  }

  @Test
  void grow_groupsRenamedOrWithoutRows_changeNothing() {
    Sample sample = new Sample(3);
    TreeStructure expected = sample.grow(RIDGE.withCoupling(sample.coupling(6)));
    int[] renamed = new int[SIZE];
    int[] names = {6, 2, 0, 3, 5};
    double[] weights = new double[9]; // four groups of no rows
    for (int row = 0; row < SIZE; row++) {
      renamed[row] = names[sample.groupOf[row]];
      weights[renamed[row]]++;
    }
    TreeStructure actual = sample.grow(RIDGE.withCoupling(new AnchorCoupling(renamed, weights, 6)));
    assertThat(tree(actual)).isEqualTo(tree(expected));
    for (int node = 0; node < expected.leaves() - 1; node++) {
      assertThat(actual.gain(node)).isCloseTo(expected.gain(node), within(1e-9));
    }
  }

  /**
   * A feature that is the environment, and one that is not, both of the same plain gain: a strong
   * coupling holds the environments' means, so what only tells them apart gains least.
   */
  @Test
  void grow_strongCoupling_prefersWhatVariesWithinEnvironments() {
    Rows.Builder rows = Rows.builder(2);
    double[] gradients = new double[400];
    int[] groupOf = new int[400];
    for (int row = 0; row < 400; row++) {
      groupOf[row] = row % 2;
      int within = row / 2 % 2;
      rows.add(new double[] {groupOf[row], within}, 0, "" + groupOf[row]);
      gradients[row] = (groupOf[row] == 0 ? -1.1 : 1.1) + (within == 0 ? -1 : 1);
    }
    List<Feature> features = List.of(new Feature.Numeric("group"), new Feature.Numeric("within"));
    BinnedRows binned = BinnedRows.of(rows.build(), features, 255);
    double[] groupWeights = {200, 200};
    for (double strength : new double[] {0, 9}) {
      var coupling = new AnchorCoupling(groupOf, groupWeights, strength);
      var settings =
          GrowthSettings.of(new TreeLimits(2, 1, 1, 0, 0), Penalties.ridge(0))
              .withCoupling(coupling);
      try (var grower = new TreeGrower(binned, settings)) {
        Tree tree = tree(grower.grow(gradients, ones(400)));
        assertThat(tree.feature(0)).isEqualTo(strength == 0 ? 0 : 1);
      }
    }
  }

  /** With gamma 0 and squared loss the root's coupled curvature is 0 but for rounding. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5})
  void grow_gammaZero_growsOnWhatTheEnvironmentsDoNotExplain(double lambda2) {
    Sample sample = new Sample(5);
    double[] means = new double[GROUPS];
    for (int row = 0; row < SIZE; row++) {
      means[sample.groupOf[row]] += sample.gradients[row];
    }
    for (int row = 0; row < SIZE; row++) {
      int group = sample.groupOf[row];
      sample.gradients[row] -= means[group] / sample.groupWeights()[group];
    }
    GrowthSettings settings =
        GrowthSettings.of(LIMITS, Penalties.ridge(lambda2)).withCoupling(sample.coupling(-1));
    TreeStructure grown = sample.grow(settings);
    assertThat(grown.leaves()).isGreaterThan(4);
    double squares = Arrays.stream(sample.gradients).map(value -> value * value).sum();
    for (int node = 0; node < grown.leaves() - 1; node++) {
      assertThat(grown.gain(node)).isBetween(0.0, 0.5 * squares);
    }
  }

  /** Curvatures above 1 make gamma 0 outweigh the diagonal: no gain comes of that. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void grow_indefiniteCoupling_growsWithFiniteGains(long seed) {
    Sample sample = new Sample(seed);
    double[] hessians = new double[SIZE];
    var random = new SplittableRandom(seed);
    Arrays.setAll(hessians, row -> 5 * random.nextDouble());
    try (var grower = new TreeGrower(sample.binned(), RIDGE.withCoupling(sample.coupling(-1)))) {
      TreeStructure grown = grower.grow(sample.gradients, hessians);
      assertThat(grown.leaves()).isGreaterThan(1);
      for (int node = 0; node < grown.leaves() - 1; node++) {
        assertThat(grown.gain(node)).isPositive().isFinite();
      }
    }
  }

  @Test
  void factors_sampledRows_countTheGroupAsTheSampleDoes() {
    int[] groupOf = {0, 0, 0, 0, 1, 1, 3};
    var coupling = new AnchorCoupling(groupOf, new double[] {8, 4, 0, 5}, 6);
    double[] factors = new double[4];
    coupling.factors(RowSamples.of(0, 1, 2, 3, 4, 5, 6), factors);
    assertThat(factors).containsExactly(0.75, 1.5, 0, 1.2);
    coupling.factors(RowSamples.of(0, 2, 3, 4), factors);
    assertThat(factors).containsExactly(1, 3, 0, 0);
    var partialling = new AnchorCoupling(groupOf, new double[] {8, 4, 0, 5}, -1);
    partialling.factors(RowSamples.of(0, 2, 3, 4), factors);
    assertThat(factors).containsExactly(-0.125, -0.25, 0, -0.2);
  }

  @Test
  void settings_couplingThatDoesNotFit_isAClearError() {
    Sample sample = new Sample(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RIDGE.withOutputs(3).withCoupling(sample.coupling(6)))
        .withMessage("anchor-aware splits need leaves of one value: outputs is 3");
    var tooShort = new AnchorCoupling(new int[4], new double[1], 6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TreeGrower(sample.binned(), RIDGE.withCoupling(tooShort)).close())
        .withMessage("the coupling must have as many rows as there are, 600: 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AnchorCoupling(new int[] {0, 2}, new double[2], 6))
        .withMessage("the group of row 1 must be 0 to 1: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AnchorCoupling(new int[1], new double[1], Double.NaN))
        .withMessage("the strength of a coupling must be -1 or more and finite: NaN");
  }

  private static Tree tree(TreeStructure grown) {
    return grown.withLeafValues(new double[grown.leaves()]);
  }

  private static double[] ones(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** Rows of five environments, hessian 1 each. */
  private static final class Sample {
    final Rows rows;
    final double[] gradients = new double[SIZE];
    final int[] groupOf = new int[SIZE];

    Sample(long seed) {
      rows = SampleRows.of(new Squared(), seed, SIZE, GROUPS);
      for (int row = 0; row < SIZE; row++) {
        gradients[row] = 0.2 - rows.label(row);
        groupOf[row] = rows.environment(row);
      }
    }

    double[] groupWeights() {
      double[] weights = new double[GROUPS];
      for (int group : groupOf) {
        weights[group]++;
      }
      return weights;
    }

    AnchorCoupling coupling(double strength) {
      return new AnchorCoupling(groupOf, groupWeights(), strength);
    }

    BinnedRows binned() {
      return BinnedRows.of(rows, SampleRows.FEATURES, 40);
    }

    TreeStructure grow(GrowthSettings settings) {
      try (var grower = new TreeGrower(binned(), settings)) {
        return grower.grow(gradients, ones(SIZE), 3);
      }
    }
  }
}
