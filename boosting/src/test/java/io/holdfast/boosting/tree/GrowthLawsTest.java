package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.GainsByDefinition;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for trees of every kind of gain. */
class GrowthLawsTest {
  private static final TreeLimits LIMITS = new TreeLimits(14, 6, 4, 1, 0);

  /** What gains are made of. */
  enum Kind {
    PLAIN(1),
    PENALISED(1),
    MONOTONE(1),
    VECTOR(3),
    COUPLED(1),
    COUPLED_MONOTONE(1);

    final int outputs;

    Kind(int outputs) {
      this.outputs = outputs;
    }

    GrowthSettings settings(TreeLimits limits, Rows rows) {
      GrowthSettings ridge = GrowthSettings.of(limits, Penalties.ridge(1));
      GrowthSettings coupled = ridge.withCoupling(coupling(rows, 6));
      return switch (this) {
        case PLAIN -> ridge;
        case PENALISED -> GrowthSettings.of(limits, new Penalties(0.4, 0.5, 0.02));
        case MONOTONE -> ridge.withMonotone(List.of(1, -1, 0, 0));
        case VECTOR -> ridge.withOutputs(3);
        case COUPLED -> coupled;
        case COUPLED_MONOTONE -> coupled.withMonotone(List.of(1, -1, 0, 0));
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void grow_anyKind_treeSendsTheRowsToTheirLeavesAndKeepsItsLimits(Kind kind) {
    Sample sample = new Sample(11, 700, kind.outputs);
    TreeStructure grown = sample.grow(kind.settings(LIMITS, sample.rows));
    Tree tree = plain(grown);
    double[] features = new double[4];
    int[] leafOf = grown.leafOf();
    int[] sizes = new int[grown.leaves()];
    double[] hessians = new double[grown.leaves()];
    for (int row = 0; row < leafOf.length; row++) {
      sample.rows.copyFeatures(row, features);
      assertThat(tree.leafOf(features)).as("row %s", row).isEqualTo(leafOf[row]);
      sizes[leafOf[row]]++;
      for (int output = 0; output < kind.outputs; output++) {
        hessians[leafOf[row]] += sample.hessians[output * leafOf.length + row];
      }
    }
    assertThat(grown.leaves()).isBetween(8, 14);
    assertThat(Arrays.stream(sizes).min().orElseThrow()).isGreaterThanOrEqualTo(4);
    assertThat(Arrays.stream(hessians).min().orElseThrow()).isGreaterThanOrEqualTo(1 - 1e-9);
    assertThat(depth(tree, 0)).isLessThanOrEqualTo(6);
    for (int node = 0; node < tree.innerNodes(); node++) {
      assertThat(grown.gain(node)).isPositive().isFinite();
    }
  }

  @ParameterizedTest
  @EnumSource
  void grow_anyThreads_sameTree(Kind kind) {
    Sample sample = new Sample(3, 40_000, kind.outputs);
    GrowthSettings settings =
        kind.settings(LIMITS, sample.rows).withSampling(new Sampling(0.9, 0.8));
    TreeStructure alone = sample.grow(settings);
    assertThat(alone.leaves()).isGreaterThan(5);
    for (int threads : new int[] {2, 3, 9}) {
      assertSame(sample.grow(settings.withThreads(threads)), alone, row -> row);
    }
  }

  @ParameterizedTest
  @EnumSource
  void grow_permutedRows_sameTree(Kind kind) {
    Sample sample = new Sample(5, 500, kind.outputs);
    int[] place = permutation(500);
    Sample permuted = sample.rearranged(place);
    assertSame(
        permuted.grow(kind.settings(LIMITS, permuted.rows)),
        sample.grow(kind.settings(LIMITS, sample.rows)),
        row -> place[row]);
  }

  @ParameterizedTest
  @EnumSource
  void grow_permutedColumns_sameTreeOfPermutedColumns(Kind kind) {
    Sample sample = new Sample(6, 500, kind.outputs);
    int[] columns = {3, 1, 2, 0};
    Rows.Builder rows = Rows.builder(4);
    double[] values = new double[4];
    double[] permuted = new double[4];
    for (int row = 0; row < 500; row++) {
      sample.rows.copyFeatures(row, values);
      Arrays.setAll(permuted, column -> values[columns[column]]);
      rows.add(permuted, 0, "environment " + sample.rows.environment(row));
    }
    List<Feature> features = new ArrayList<>();
    for (int column : columns) {
      features.add(SampleRows.FEATURES.get(column));
    }
    GrowthSettings settings = kind.settings(LIMITS, sample.rows);
    List<Integer> monotone = settings.monotone();
    if (!monotone.isEmpty()) {
      monotone = Arrays.stream(columns).mapToObj(settings.monotone()::get).toList();
    }
    TreeStructure expected = sample.grow(settings);
    TreeStructure actual;
    try (var grower =
        new TreeGrower(
            BinnedRows.of(rows.build(), features, 64), settings.withMonotone(monotone))) {
      actual = grower.grow(sample.gradients, sample.hessians);
    }
    assertThat(actual.leafOf()).isEqualTo(expected.leafOf());
    for (int node = 0; node < expected.leaves() - 1; node++) {
      assertThat(actual.gain(node)).isEqualTo(expected.gain(node));
      assertThat(columns[plain(actual).feature(node)]).isEqualTo(plain(expected).feature(node));
    }
  }

  /** Rows are counted rather than weighed, so minRows does not double. */
  @ParameterizedTest
  @EnumSource
  void grow_weightsOfTwo_sameTreeAsRowsTwice(Kind kind) {
    Sample sample = new Sample(7, 400, kind.outputs);
    int[] twice = new int[800];
    Arrays.setAll(twice, row -> row / 2);
    Sample duplicated = sample.rearranged(twice);
    Sample weighted = sample.weighted(2);
    TreeStructure doubled =
        duplicated.grow(kind.settings(new TreeLimits(14, 6, 8, 1, 0), duplicated.rows));
    TreeStructure single = weighted.grow(kind.settings(LIMITS, weighted.rows));
    assertSame(doubled, single, row -> twice[row]);
    assertThat(doubled.covers(duplicated.rows)).isEqualTo(single.covers(weighted.rows));
  }

  @ParameterizedTest
  @EnumSource
  void grow_constantAndMissingOnlyColumns_changeNothing(Kind kind) {
    Sample sample = new Sample(8, 300, kind.outputs);
    Rows.Builder rows = Rows.builder(9);
    double[] values = new double[4];
    for (int row = 0; row < 300; row++) {
      sample.rows.copyFeatures(row, values);
      double[] wide = {
        7, Double.NaN, values[0], values[1], Double.NaN, values[2], values[3], 2, Double.NaN
      };
      rows.add(wide, 0, "all");
    }
    var features = new ArrayList<Feature>();
    features.add(new Feature.Numeric("seven"));
    features.add(new Feature.Numeric("nothing"));
    features.addAll(SampleRows.FEATURES.subList(0, 2));
    features.add(new Feature.Categorical("none", List.of("a", "b")));
    features.addAll(SampleRows.FEATURES.subList(2, 4));
    features.add(new Feature.Categorical("one", List.of("a", "b", "c")));
    features.add(new Feature.Categorical("empty", List.of()));
    GrowthSettings settings = kind.settings(LIMITS, sample.rows);
    GrowthSettings wider =
        settings.monotone().isEmpty()
            ? settings
            : settings.withMonotone(List.of(1, -1, 1, -1, 0, 0, 0, 0, 0));
    try (var grower = new TreeGrower(BinnedRows.of(rows.build(), features, 64), wider)) {
      TreeStructure grown = grower.grow(sample.gradients, sample.hessians);
      assertThat(grown.leafOf()).isEqualTo(sample.grow(settings).leafOf());
      Tree tree = plain(grown);
      for (int node = 0; node < tree.innerNodes(); node++) {
        assertThat(tree.feature(node)).isIn(2, 3, 5, 6);
      }
    }
  }

  /** Beta and anchored objectives have rows that curve downwards. */
  @ParameterizedTest
  @EnumSource
  void grow_hessiansOfAnySign_neverSplitsOffWhatDoesNotCurveUpwards(Kind kind) {
    for (long seed = 0; seed < 10; seed++) {
      Sample sample = new Sample(seed, 300, kind.outputs);
      var random = new SplittableRandom(seed);
      Arrays.setAll(
          sample.hessians,
          k -> random.nextInt(3) == 0 ? -random.nextDouble() : random.nextDouble());
      for (double minHessian : new double[] {0, 0.5}) {
        GrowthSettings settings =
            kind.settings(new TreeLimits(14, 6, 4, minHessian, 0), sample.rows);
        TreeStructure grown = sample.grow(settings);
        double[] hessians = new double[grown.leaves()];
        int[] leafOf = grown.leafOf();
        for (int k = 0; k < sample.hessians.length; k++) {
          hessians[leafOf[k % 300]] += sample.hessians[k];
        }
        for (int leaf = 0; grown.leaves() > 1 && leaf < hessians.length; leaf++) {
          assertThat(hessians[leaf]).isGreaterThanOrEqualTo(minHessian - 1e-9);
        }
        for (int node = 0; node < grown.leaves() - 1; node++) {
          assertThat(grown.gain(node)).isPositive().isFinite();
        }
      }
      Arrays.setAll(sample.hessians, k -> -1.0);
      assertThat(sample.grow(kind.settings(LIMITS, sample.rows)).leaves()).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource
  void grow_derivativesThatAreNotFinite_areNotSplit(Kind kind) {
    Sample sample = new Sample(2, 100, kind.outputs);
    GrowthSettings settings = kind.settings(LIMITS, sample.rows);
    sample.gradients[17] = Double.NaN;
    assertThat(sample.grow(settings).leaves()).isOne();
    Arrays.fill(sample.gradients, 0);
    assertThat(sample.grow(settings).leaves()).isOne();
    Arrays.fill(sample.gradients, 1e200); // its square is infinite
    sample.gradients[3] = -1e200;
    assertThat(sample.grow(settings).leaves()).isOne();
  }

  /** What the leaves lower the loss by is what the root does, and what each split gained. */
  @ParameterizedTest
  @EnumSource(names = {"PLAIN", "PENALISED", "VECTOR"})
  void gain_ofAllNodes_addsUpToTheFallOfTheLoss(Kind kind) {
    Sample sample = new Sample(9, 400, kind.outputs);
    GrowthSettings settings = kind.settings(LIMITS, sample.rows);
    TreeStructure grown = sample.grow(settings);
    var gains = new GainsByDefinition(sample.gradients, sample.hessians, 400, settings.penalties());
    double expected = gains.fall(new int[400], 1);
    for (int node = 0; node < grown.leaves() - 1; node++) {
      expected += grown.gain(node) + settings.penalties().leafPrice();
    }
    assertThat(gains.fall(grown.leafOf(), grown.leaves())).isCloseTo(expected, within(1e-9));
  }

  @Test
  void withLeafValues_statistics_areGainsAndWeights() {
    Sample sample = new Sample(10, 300, 1).weighted(2);
    TreeStructure grown = sample.grow(Kind.PLAIN.settings(LIMITS, sample.rows));
    double[] values = new double[2 * grown.leaves()];
    Arrays.setAll(values, k -> k);
    double[] covers = grown.covers(sample.rows);
    Tree tree = grown.withLeafValues(values, 1, 2, covers);
    assertThat(tree.output()).isOne();
    assertThat(tree.outputs()).isEqualTo(2);
    assertThat(tree.leafValue(3, 1)).isEqualTo(7);
    assertThat(Arrays.stream(covers).sum()).isEqualTo(600);
    assertThat(tree.leafCover(2)).isEqualTo((float) covers[2]);
    for (int node = 0; node < tree.innerNodes(); node++) {
      assertThat(tree.gain(node)).isEqualTo((float) grown.gain(node));
    }
  }

  private static AnchorCoupling coupling(Rows rows, double strength) {
    // Numbered by name rather than by first appearance, so that sums over groups keep their order.
    List<String> names = rows.environments().stream().sorted().toList();
    int[] groupOf = new int[rows.size()];
    double[] weights = new double[names.size()];
    for (int row = 0; row < groupOf.length; row++) {
      groupOf[row] = names.indexOf(rows.environments().get(rows.environment(row)));
      weights[groupOf[row]] += rows.weight(row);
    }
    return new AnchorCoupling(groupOf, weights, strength);
  }

  private static void assertSame(
      TreeStructure actual, TreeStructure expected, IntUnaryOperator rowOf) {
    assertThat(plain(actual)).isEqualTo(plain(expected));
    int[] leafOf = expected.leafOf();
    int[] actualLeafOf = actual.leafOf();
    for (int row = 0; row < actualLeafOf.length; row++) {
      assertThat(actualLeafOf[row]).isEqualTo(leafOf[rowOf.applyAsInt(row)]);
    }
    for (int node = 0; node < expected.leaves() - 1; node++) {
      assertThat(actual.gain(node)).isEqualTo(expected.gain(node));
    }
    for (int leaf = 0; leaf < expected.leaves(); leaf++) {
      assertThat(actual.lowerBound(leaf)).isEqualTo(expected.lowerBound(leaf));
      assertThat(actual.upperBound(leaf)).isEqualTo(expected.upperBound(leaf));
    }
  }

  private static int[] permutation(int size) {
    var random = new SplittableRandom(1);
    int[] place = new int[size];
    for (int k = 0; k < size; k++) {
      int other = random.nextInt(k + 1);
      place[k] = place[other];
      place[other] = k;
    }
    return place;
  }

  private static Tree plain(TreeStructure grown) {
    return grown.withLeafValues(new double[grown.leaves()]);
  }

  private static int depth(Tree tree, int node) {
    return node < 0 ? 0 : 1 + Math.max(depth(tree, tree.left(node)), depth(tree, tree.right(node)));
  }

  /** Rows with derivatives that are multiples of 1/64: their sums are exact in any order. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sample(Rows rows, double[] gradients, double[] hessians, int outputs) {
    Sample(long seed, int size, int outputs) {
      this(
          SampleRows.of(new Squared(), seed, size, 4),
          new double[outputs * size],
          new double[outputs * size],
          outputs);
      var random = new SplittableRandom(seed);
      for (int output = 0; output < outputs; output++) {
        for (int row = 0; row < size; row++) {
          double label = rows.label(row) * (output == 1 ? -0.3 : 1) + output;
          gradients[output * size + row] = Math.rint(32 * (0.3 - label)) / 64;
          hessians[output * size + row] = (1 + random.nextInt(64)) / 64.0;
        }
      }
    }

    TreeStructure grow(GrowthSettings settings) {
      BinnedRows binned = BinnedRows.of(rows, SampleRows.FEATURES, 64);
      try (var grower = new TreeGrower(binned, settings)) {
        return grower.grow(gradients, hessians);
      }
    }

    /** Row {@code k} is this one's row {@code place[k]}. */
    Sample rearranged(int[] place) {
      Rows.Builder builder = Rows.builder(4);
      Sample rearranged =
          new Sample(
              rows,
              new double[outputs * place.length],
              new double[outputs * place.length],
              outputs);
      double[] values = new double[4];
      for (int row = 0; row < place.length; row++) {
        rows.copyFeatures(place[row], values);
        builder.add(values, 0, rows.environments().get(rows.environment(place[row])));
        for (int output = 0; output < outputs; output++) {
          int to = output * place.length + row;
          int from = output * rows.size() + place[row];
          rearranged.gradients[to] = gradients[from];
          rearranged.hessians[to] = hessians[from];
        }
      }
      return new Sample(builder.build(), rearranged.gradients, rearranged.hessians, outputs);
    }

    Sample weighted(double weight) {
      Rows.Builder builder = Rows.builder(4);
      double[] values = new double[4];
      for (int row = 0; row < rows.size(); row++) {
        rows.copyFeatures(row, values);
        builder.add(values, 0, weight, rows.environments().get(rows.environment(row)));
      }
      return new Sample(
          builder.build(),
          Arrays.stream(gradients).map(value -> weight * value).toArray(),
          Arrays.stream(hessians).map(value -> weight * value).toArray(),
          outputs);
    }
  }
}
