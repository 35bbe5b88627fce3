package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.Penalties;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.Sampling;
import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Coupled trees by packed cells and bounds against those that look at every split by group. */
class CoupledKernelTest {
  private static final TreeLimits LIMITS = new TreeLimits(24, 7, 5, 0.5, 1e-9);
  private static final int GROUPS = 5;

  /** What the columns are: leaves without categories are looked at only when they promise most. */
  private enum Kind {
    WITH_CATEGORIES,
    NUMBERS,
    NUMBERS_ALL_THERE;

    List<Feature> features() {
      return this == WITH_CATEGORIES
          ? SampleRows.FEATURES
          : SampleRows.FEATURES.stream()
              .<Feature>map(feature -> new Feature.Numeric(feature.name()))
              .toList();
    }

    Rows of(Rows rows) {
      if (this != NUMBERS_ALL_THERE) {
        return rows;
      }
      Rows.Builder there = Rows.builder(SampleRows.FEATURES.size());
      double[] values = new double[SampleRows.FEATURES.size()];
      for (int row = 0; row < rows.size(); row++) {
        rows.copyFeatures(row, values);
        Arrays.setAll(values, k -> Double.isNaN(values[k]) ? 0 : values[k]);
        there.add(values.clone(), rows.label(row), "all");
      }
      return there.build();
    }
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0", "0.5, 0.7", "6, 0", "6, 0.7", "6, 40", "1000, 0"})
  void grow_numbersOfFewDigits_sameTreeAsByChannels(double strength, double lambda2) {
    for (Sampling sampling : List.of(Sampling.ALL, new Sampling(0.8, 0.7))) {
      for (boolean equalHessians : new boolean[] {true, false}) {
        for (int threads = 1; threads <= 2; threads++) {
          for (long seed = 1; seed <= 3; seed++) {
            GrowthSettings settings =
                GrowthSettings.of(LIMITS, new Penalties(0, lambda2, 0.001)).withSampling(sampling);
            for (Kind kind : Kind.values()) {
              check(settings.withThreads(threads), strength, equalHessians, seed, kind);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.7", "6, 0", "100, 40"})
  void grow_boundsByVectors_sameTreeAsByChannels(double strength, double lambda2) {
    List<ContrastScan> all = ContrastScans.vectors();
    assumeTrue(!all.isEmpty(), "this machine has no vectors of 256 bits");
    GrowthSettings settings = GrowthSettings.of(LIMITS, new Penalties(0, lambda2, 0.001));
    try {
      for (ContrastScan vectors : all) {
        ContrastScans.use(vectors);
        for (boolean equalHessians : new boolean[] {true, false}) {
          for (int threads = 1; threads <= 2; threads++) {
            for (Kind kind : Kind.values()) {
              check(settings.withThreads(threads), strength, equalHessians, threads, kind);
            }
          }
        }
      }
    } finally {
      ContrastScans.use(null);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0", "0.5, 0.7", "6, 0", "100, 40", "1000, 0"})
  void grow_smallLeavesWithoutHistograms_sameTreeAsByChannels(double strength, double lambda2) {
    List<ProfileScan> all = new ArrayList<>(ProfileScans.vectors());
    all.add(new ScalarProfileScan());
    GrowthSettings settings = GrowthSettings.of(LIMITS, new Penalties(0, lambda2, 0.001));
    try {
      for (ProfileScan scan : all) {
        ProfileScans.use(scan);
        for (Sampling sampling : List.of(Sampling.ALL, new Sampling(0.8, 0.7))) {
          for (boolean equalHessians : new boolean[] {true, false}) {
            for (int threads = 1; threads <= 2; threads++) {
              for (Kind kind : Kind.values()) {
                GrowthSettings sampled = settings.withSampling(sampling).withThreads(threads);
                check(sampled, strength, equalHessians, 3 + threads, kind);
              }
            }
          }
        }
      }
    } finally {
      ProfileScans.use(null);
    }
  }

  /** Sums that do not change from tree to tree are kept, and must be of the tree at hand. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 0.7", "0.8, 1"})
  void grow_treeAfterTree_sameTreesAsByChannels(double rowShare, double featureShare) {
    Sampling sampling = new Sampling(rowShare, featureShare);
    Rows rows = Kind.NUMBERS.of(SampleRows.of(new Squared(), 1, 1_500, 3));
    BinnedRows binned = BinnedRows.of(rows, Kind.NUMBERS.features(), 100);
    var random = new SplittableRandom(1);
    int[] groupOf = new int[rows.size()];
    double[] weights = new double[GROUPS];
    for (int row = 0; row < groupOf.length; row++) {
      groupOf[row] = rows.feature(row, 0) > 0.5 ? random.nextInt(2) : random.nextInt(GROUPS);
      weights[groupOf[row]]++;
    }
    double[][] hessiansOfTrees = new double[6][rows.size()];
    for (int tree = 0; tree < hessiansOfTrees.length; tree++) {
      double same = 0.25 * (1 + tree % 2);
      boolean equal = tree != 2 && tree != 3;
      Arrays.setAll(hessiansOfTrees[tree], row -> equal ? same : random.nextInt(1, 64) / 64.0);
    }
    for (int threads = 1; threads <= 2; threads++) {
      GrowthSettings settings =
          GrowthSettings.of(LIMITS, new Penalties(0, 0.7, 0.001))
              .withSampling(sampling)
              .withThreads(threads)
              .withCoupling(new AnchorCoupling(groupOf, weights, 6));
      try (var plain = new TreeGrower(binned, settings, new Buffers(), false);
          var packed = new TreeGrower(binned, settings, new Buffers(), true)) {
        for (int tree = 0; tree < hessiansOfTrees.length; tree++) {
          double[] hessians = hessiansOfTrees[tree];
          double[] gradients = new double[rows.size()];
          for (int row = 0; row < gradients.length; row++) {
            double label = rows.label(row) + (groupOf[row] == tree % GROUPS ? 2 : 0);
            gradients[row] = Math.rint(64 * (0.2 - label)) / 64;
          }
          checkSame(plain.grow(gradients, hessians, tree), packed.grow(gradients, hessians, tree));
        }
      }
    }
  }

  private static void check(
      GrowthSettings settings, double strength, boolean equalHessians, long seed, Kind kind) {
    Rows rows = kind.of(SampleRows.of(new Squared(), seed, 1_500, 3));
    var random = new SplittableRandom(seed);
    double[] gradients = new double[rows.size()];
    double[] hessians = new double[rows.size()];
    int[] groupOf = new int[rows.size()];
    double[] weights = new double[GROUPS + 1]; // one without rows
    for (int row = 0; row < groupOf.length; row++) {
      boolean byFeature = rows.feature(row, 0) > 0.5; // so that a column tells groups apart
      groupOf[row] = byFeature ? random.nextInt(2) : random.nextInt(GROUPS);
      weights[groupOf[row]]++;
      double label = rows.label(row) + (groupOf[row] == 0 ? 2 : 0);
      gradients[row] = Math.rint(64 * (0.2 - label)) / 64;
    }
    Arrays.setAll(hessians, row -> equalHessians ? 0.5 : random.nextInt(1, 64) / 64.0);
    BinnedRows binned = BinnedRows.of(rows, kind.features(), 100);
    GrowthSettings coupled = settings.withCoupling(new AnchorCoupling(groupOf, weights, strength));
    TreeStructure plain = grow(binned, coupled, gradients, hessians, seed, false);
    TreeStructure packed = grow(binned, coupled, gradients, hessians, seed, true);
    checkSame(plain, packed);
  }

  private static void checkSame(TreeStructure plain, TreeStructure packed) {
    assertThat(plain.leaves()).isGreaterThan(3);
    double[] values = new double[plain.leaves()];
    assertThat(packed.leaves()).isEqualTo(plain.leaves());
    assertThat(packed.withLeafValues(values)).isEqualTo(plain.withLeafValues(values));
    assertThat(packed.leafOf()).isEqualTo(plain.leafOf());
    for (int node = 0; node < plain.leaves() - 1; node++) {
      assertThat(packed.gain(node)).isEqualTo(plain.gain(node));
    }
  }

  private static TreeStructure grow(
      BinnedRows binned,
      GrowthSettings settings,
      double[] gradients,
      double[] hessians,
      long seed,
      boolean packing) {
    try (var grower = new TreeGrower(binned, settings, new Buffers(), packing)) {
      return grower.grow(gradients, hessians, seed);
    }
  }
}
