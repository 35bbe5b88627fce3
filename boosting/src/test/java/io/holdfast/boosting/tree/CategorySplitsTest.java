package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.split.GainsByDefinition;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Splits into sets of categories, with every kind of gain. */
class CategorySplitsTest {
  private static final int SIZE = 480;
  private static final int KINDS = 6;
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Categorical(
              "kind", List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")));

  /** As many rows and as much hessian of each category, so that smoothing keeps their order. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 1, false",
    "0.8, 0, 1, false",
    "0, 0, 1, true",
    "0, 6, 1, false",
    "0, 6, 1, true",
    "0.8, 6, 1, true",
    "0, 0, 3, false",
    "0, 0, 3, true"
  })
  void grow_oneSplit_noSetGainsMore(
      double lambda1, double strength, int outputs, boolean withMissing) {
    for (long seed = 0; seed < 20; seed++) {
      var random = new SplittableRandom(seed);
      double[] x = new double[SIZE];
      Arrays.setAll(x, row -> withMissing && row % 8 == 7 ? Double.NaN : row % 8 % KINDS);
      double[] gradients = new double[outputs * SIZE];
      double[] levels = random.doubles(KINDS + 1, -1, 1).toArray();
      for (int k = 0; k < gradients.length; k++) {
        int row = k % SIZE;
        double level = levels[Double.isNaN(x[row]) ? KINDS : (int) x[row]];
        // Outputs agree on the order, or the best set need not be at an end of any.
        gradients[k] = (1 + k / SIZE) * (level + 0.5 * random.nextDouble());
      }
      int[] groupOf = new int[SIZE];
      Arrays.setAll(groupOf, row -> row / 8 % 3); // as many of each category in each
      double[] groupWeights = {SIZE / 3.0, SIZE / 3.0, SIZE / 3.0};
      var penalties = new Penalties(lambda1, 0.3, 0);
      GrowthSettings settings =
          GrowthSettings.of(new TreeLimits(2, 1, 1, 0, 0), penalties).withOutputs(outputs);
      if (strength != 0) {
        settings = settings.withCoupling(new AnchorCoupling(groupOf, groupWeights, strength));
      }
      var gains =
          new GainsByDefinition(
              gradients, ones(gradients.length), SIZE, penalties, groupOf, groupWeights, strength);
      TreeStructure grown = grow(x, settings, gains);
      double best = 0;
      for (int set = 0; set < 1 << KINDS; set++) {
        for (boolean missingLeft : new boolean[] {false, true}) {
          boolean[] left = new boolean[SIZE];
          for (int row = 0; row < SIZE; row++) {
            left[row] = Double.isNaN(x[row]) ? missingLeft : (set >> (int) x[row] & 1) != 0;
          }
          int size = GainsByDefinition.count(left, true);
          best = size == 0 || size == SIZE ? best : Math.max(best, gains.gain(left));
        }
      }
      assertThat(grown.gain(0)).as("seed %s", seed).isCloseTo(best, within(1e-9));
    }
  }

  /**
   * Categories that are spread unevenly over the environments: their order by plain ratios says
   * little of what they gain after the coupling. Few are tried in all sets; of more the best set is
   * found nearly always.
   */
  @ParameterizedTest
  @CsvSource({
    "6, 0, 6, 1",
    "6, 0, 49, 1",
    "6, 0, -1, 1",
    "6, 0.8, 6, 1",
    "10, 0, 6, 0.999",
    "10, 0, 49, 0.97",
    "10, 0, -0.5, 0.999",
    "10, 0.8, 6, 0.999"
  })
  void grow_categoriesUnevenOverGroups_gainsWhatTheBestSetDoes(
      int kinds, double lambda1, double strength, double share) {
    double sum = 0;
    int cases = 0;
    for (long seed = 0; seed < 30; seed++) {
      var random = new SplittableRandom(seed);
      double[] x = new double[SIZE];
      double[] gradients = new double[SIZE];
      int[] groupOf = new int[SIZE];
      double[] groupWeights = new double[3];
      double[] levels = random.doubles(kinds, -1, 1).toArray();
      int[] home = random.ints(kinds, 0, 3).toArray();
      for (int row = 0; row < SIZE; row++) {
        int kind = row % kinds;
        x[row] = kind;
        groupOf[row] = random.nextInt(4) > 0 ? home[kind] : random.nextInt(3);
        groupWeights[groupOf[row]]++;
        gradients[row] = levels[kind] + 1.5 * (groupOf[row] - 1) + 0.2 * random.nextGaussian();
      }
      var penalties = new Penalties(lambda1, 0.3, 0);
      GrowthSettings settings =
          GrowthSettings.of(new TreeLimits(2, 1, 1, 0, 0), penalties)
              .withCoupling(new AnchorCoupling(groupOf, groupWeights, strength));
      var gains =
          new GainsByDefinition(
              gradients, ones(SIZE), SIZE, penalties, groupOf, groupWeights, strength);
      double best = bestOfAllSets(x, kinds, gains);
      if (best > 1e-9) {
        double found = grow(x, settings, gains).gain(0);
        assertThat(found).as("seed %s", seed).isLessThan(best + 1e-9);
        sum += found / best;
        cases++;
      }
    }
    assertThat(sum / cases).isGreaterThan(share - 1e-9);
  }

  private static double bestOfAllSets(double[] x, int kinds, GainsByDefinition gains) {
    double best = 0;
    for (int set = 1; set < (1 << (kinds - 1)); set++) {
      boolean[] left = new boolean[SIZE];
      for (int row = 0; row < SIZE; row++) {
        left[row] = (set >> (int) x[row] & 1) != 0;
      }
      best = Math.max(best, gains.gain(left));
    }
    return best;
  }

  /** Categories of all sizes in many leaves: the set says what becomes of every row. */
  @ParameterizedTest
  @CsvSource({"1, 0", "4, 0", "1, 6", "1, -1"})
  void grow_manyCategories_treeSendsTheRowsToTheirLeaves(int outputs, double strength) {
    var random = new SplittableRandom(1);
    Rows.Builder rows = Rows.builder(2);
    int[] groupOf = new int[SIZE];
    double[] groupWeights = new double[4];
    double[] gradients = new double[outputs * SIZE];
    for (int row = 0; row < SIZE; row++) {
      double kind = Math.floor(150 * random.nextDouble() * random.nextDouble());
      groupOf[row] = random.nextInt(4);
      groupWeights[groupOf[row]]++;
      rows.add(new double[] {kind > 140 ? Double.NaN : kind, random.nextInt(9)}, 0, "all");
      for (int k = row; k < gradients.length; k += SIZE) {
        gradients[k] = random.nextDouble() + (kind * (k + 7) % 5 > 2 ? -1 : 0.2);
      }
    }
    List<Feature> features =
        List.of(
            new Feature.Categorical(
                "kind", IntStream.range(0, 150).mapToObj(k -> "k" + k).toList()),
            new Feature.Numeric("x"));
    GrowthSettings settings =
        GrowthSettings.of(new TreeLimits(20, 8, 2, 0, 0), Penalties.ridge(1))
            .withSampling(new Sampling(0.8, 1))
            .withOutputs(outputs);
    settings =
        outputs > 1
            ? settings
            : settings
                .withMonotone(List.of(0, 1))
                .withCoupling(new AnchorCoupling(groupOf, groupWeights, strength));
    Rows built = rows.build();
    try (var grower = new TreeGrower(BinnedRows.of(built, features, 255), settings)) {
      TreeStructure grown = grower.grow(gradients, ones(gradients.length));
      Tree tree = grown.withLeafValues(new double[grown.leaves()]);
      assertThat(grown.leaves()).isGreaterThan(8);
      assertThat(IntStream.range(0, tree.innerNodes()).filter(tree::categorical).count())
          .isGreaterThan(3);
      int[] leafOf = grown.leafOf();
      double[] values = new double[2];
      for (int row = 0; row < SIZE; row++) {
        built.copyFeatures(row, values);
        assertThat(tree.leafOf(values)).as("row %s", row).isEqualTo(leafOf[row]);
      }
    }
  }

  private static TreeStructure grow(double[] x, GrowthSettings settings, GainsByDefinition gains) {
    Rows.Builder rows = Rows.builder(1);
    for (double value : x) {
      rows.add(new double[] {value}, 0, "all");
    }
    try (var grower = new TreeGrower(BinnedRows.of(rows.build(), FEATURES, 255), settings)) {
      return grower.grow(gains.gradients, gains.hessians);
    }
  }

  private static double[] ones(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }
}
