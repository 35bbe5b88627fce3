package io.holdfast.boosting.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.RowSamples;
import io.holdfast.boosting.histogram.ScalarChannels;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import io.holdfast.boosting.split.SplitGain.MultiOutputGain;
import io.holdfast.boosting.tree.GrowthSettings;
import io.holdfast.boosting.tree.TreeGrower;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The best split that is found against the best of all there are. */
class SplitSearchTest {
  private static final int SIZE = 48;
  private static final int SEEDS = 40;
  private static final TreeLimits LIMITS = new TreeLimits(2, 1, 3, 2.5, 0.01);

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "0, 1, 0", "0.5, 0, 0", "1.5, 2, 0", "0, 0.5, 0.4", "0.7, 0.3, 0.2"})
  void best_penalties_noSplitGainsMore(double lambda1, double lambda2, double price) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Case sample = new Case(seed, 1);
      var penalties = new Penalties(lambda1, lambda2, price);
      sample.check(
          GrowthSettings.of(LIMITS, penalties),
          new GainsByDefinition(sample.gradients, sample.hessians, SIZE, penalties),
          0);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "2, 0, 0", "3, 0.6, 0", "5, 0, 0.3"})
  void best_severalOutputs_noSplitGainsMore(int outputs, double lambda1, double price) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Case sample = new Case(seed, outputs);
      var penalties = new Penalties(lambda1, 0.7, price);
      sample.check(
          GrowthSettings.of(LIMITS, penalties).withOutputs(outputs),
          new GainsByDefinition(sample.gradients, sample.hessians, SIZE, penalties),
          0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0.5",
    "-0.5, 0, 0.5",
    "-0.5, 0.8, 0.5",
    "1, 0, 0",
    "6, 0, 0.5",
    "99, 0, 0",
    "6, 0.8, 0.5"
  })
  void best_coupledChildren_noSplitGainsMore(double strength, double lambda1, double lambda2) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Case sample = new Case(seed, 1);
      // Where −1 · Σ s²/n may not outweigh the diagonal, hessians are at most the weights.
      Arrays.setAll(sample.hessians, row -> Math.min(sample.hessians[row], 1));
      var penalties = new Penalties(lambda1, lambda2, 0.05);
      sample.check(
          GrowthSettings.of(LIMITS, penalties).withCoupling(sample.coupling(strength)),
          new GainsByDefinition(
              sample.gradients,
              sample.hessians,
              SIZE,
              penalties,
              sample.groupOf,
              sample.groupWeights(),
              strength),
          0);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "-1, 0, 0", "1, 0.5, 0", "-1, 0.5, 6", "1, 0, 6"})
  void best_monotoneColumn_noAllowedSplitGainsMore(int direction, double lambda1, double strength) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Case sample = new Case(seed, 1);
      var penalties = new Penalties(lambda1, 0.5, 0);
      GrowthSettings settings =
          GrowthSettings.of(LIMITS, penalties)
              .withMonotone(List.of(direction))
              .withCoupling(sample.coupling(strength));
      sample.check(
          settings,
          new GainsByDefinition(
              sample.gradients,
              sample.hessians,
              SIZE,
              penalties,
              sample.groupOf,
              sample.groupWeights(),
              strength),
          direction);
    }
  }

  /** The scalar scan has a plain twin: the enumeration for vectors, of one output. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void best_scalarScan_isThePlainEnumerationToTheLastBit(long seed) {
    Rows rows = SampleRows.of(new Squared(), seed, 30 + 100 * (int) seed, 3);
    BinnedRows binned = BinnedRows.of(rows, SampleRows.FEATURES, 20);
    var random = new SplittableRandom(seed);
    double[] gradients = new double[rows.size()];
    double[] hessians = new double[rows.size()];
    for (int row = 0; row < rows.size(); row++) {
      gradients[row] = random.nextDouble() - 0.4;
      hessians[row] = random.nextDouble() - 0.1;
    }
    for (double lambda1 : new double[] {0, 0.5}) {
      var penalties = new Penalties(lambda1, 0.3, 0.01);
      var settings =
          new SplitSettings(new TreeLimits(2, 1, 4, 1, 0), penalties, List.of(), 1, null);
      var channels = new ScalarChannels(rows.size(), new Buffers());
      int[] all = new int[rows.size()];
      Arrays.setAll(all, row -> row);
      Leaf leaf = new Leaf();
      leaf.to = all.length;
      leaf.totals = channels.start(gradients, hessians, RowSamples.of(all));
      channels.gather(all, 0, all.length);
      long[] histogram = new long[3 * binned.cells()];
      for (int column = 0; column < binned.columns(); column++) {
        int first = binned.firstCell(column);
        int bins = binned.bins(column) + 1;
        channels.accumulate(binned.column(column), first, all, 0, all.length, histogram);
        ColumnCells cells = new ColumnCells(bins, 2);
        channels.read(histogram, first, bins, cells);
        var fast = new SplitSearch(binned, settings, new ScalarGain(penalties), 2);
        var plain = new SplitSearch(binned, settings, new MultiOutputGain(penalties, 1), 2);
        fast.enter(leaf);
        plain.enter(leaf);
        fast.search(column, cells);
        plain.search(column, cells);
        assertThat(bits(fast.best())).as("column %s", column).isEqualTo(bits(plain.best()));
      }
    }
  }

  private static List<Object> bits(Split split) {
    return List.of(
        split.column(),
        split.gain(),
        split.threshold(),
        split.lastLeftBin(),
        Arrays.toString(split.categories()),
        split.missingLeft(),
        Arrays.toString(split.left().sums()),
        split.left().rows(),
        split.direction());
  }

  /** One column of few values with missing ones, and derivatives that lean on it. */
  private static final class Case {
    final double[] x = new double[SIZE];
    final double[] gradients;
    final double[] hessians;
    final int[] groupOf = new int[SIZE];

    Case(long seed, int outputs) {
      var random = new SplittableRandom(seed);
      gradients = new double[outputs * SIZE];
      hessians = new double[outputs * SIZE];
      double slope = 0.4 * (random.nextDouble() - 0.5);
      for (int row = 0; row < SIZE; row++) {
        x[row] = random.nextInt(6) == 0 ? Double.NaN : random.nextInt(9);
        groupOf[row] = random.nextInt(4);
        for (int k = row; k < gradients.length; k += SIZE) {
          gradients[k] =
              random.nextDouble() - 0.5 + (Double.isNaN(x[row]) ? 0.3 : slope * (x[row] - 4));
          hessians[k] = 0.2 + 1.3 * random.nextDouble();
        }
      }
    }

    double[] groupWeights() {
      double[] weights = new double[4];
      for (int group : groupOf) {
        weights[group]++;
      }
      return weights;
    }

    AnchorCoupling coupling(double strength) {
      return new AnchorCoupling(groupOf, groupWeights(), strength);
    }

    void check(GrowthSettings settings, GainsByDefinition gains, int direction) {
      Rows.Builder rows = Rows.builder(1);
      for (double value : x) {
        rows.add(new double[] {value}, 0, "all");
      }
      List<Feature> features = List.of(new Feature.Numeric("x"));
      TreeStructure grown;
      try (var grower = new TreeGrower(BinnedRows.of(rows.build(), features, 255), settings)) {
        grown = grower.grow(gains.gradients, gains.hessians);
      }
      double best = LIMITS.minGain();
      for (boolean[] left : GainsByDefinition.partings(x)) {
        if (allowed(left, gains, direction)) {
          best = Math.max(best, gains.gain(left));
        }
      }
      if (grown.leaves() == 1) {
        assertThat(best).isCloseTo(LIMITS.minGain(), within(1e-9));
        return;
      }
      assertThat(grown.gain(0)).isCloseTo(best, within(1e-9));
      boolean[] left = new boolean[SIZE];
      int[] leafOf = grown.leafOf();
      for (int row = 0; row < SIZE; row++) {
        left[row] = leafOf[row] == 0;
      }
      assertThat(gains.gain(left)).isCloseTo(best, within(1e-9));
      assertThat(allowed(left, gains, direction)).isTrue();
    }

    private boolean allowed(boolean[] left, GainsByDefinition gains, int direction) {
      for (boolean side : new boolean[] {false, true}) {
        if (GainsByDefinition.count(left, side) < LIMITS.minRows()
            || gains.curvature(left, side) < LIMITS.minHessian()) {
          return false;
        }
      }
      if (direction == 0 || presentOnOneSide(left)) {
        return true;
      }
      int[] leafOf = new int[SIZE];
      Arrays.setAll(leafOf, row -> left[row] ? 0 : 1);
      double[] steps = gains.steps(leafOf, 2);
      return direction * (steps[1] - steps[0]) >= 0;
    }

    private boolean presentOnOneSide(boolean[] left) {
      boolean anyLeft = false;
      boolean anyRight = false;
      for (int row = 0; row < SIZE; row++) {
        if (!Double.isNaN(x[row])) {
          anyLeft |= left[row];
          anyRight |= !left[row];
        }
      }
      return !(anyLeft && anyRight);
    }
  }
}
