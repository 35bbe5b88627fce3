package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling.Draws;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingTest {
  private static final Rows ROWS = SampleRows.of(new Squared(), 4, 600, 3);
  private static final BinnedRows BINNED = BinnedRows.of(ROWS, SampleRows.FEATURES, 32);
  private static final GrowthSettings SETTINGS =
      GrowthSettings.of(new TreeLimits(12, 6, 5, 0, 0), Penalties.ridge(1));

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4})
  void grow_rowSample_structureIsThatOfTheDrawnRowsAlone(long seed) {
    double[] gradients = random(seed);
    int[] drawn = Draws.of(seed, Draws.Purpose.ROWS, ROWS.size(), 0.4);
    TreeStructure grown;
    try (var grower = new TreeGrower(BINNED, SETTINGS.withSampling(new Sampling(0.4, 1)))) {
      grown = grower.grow(gradients, ones(), seed);
    }
    // The other rows' derivatives do not matter at all.
    double[] changed = gradients.clone();
    int[] rest = new int[ROWS.size() - drawn.length];
    Draws.rest(drawn, drawn.length, ROWS.size(), rest);
    for (int row : rest) {
      changed[row] = Double.NaN;
    }
    try (var grower = new TreeGrower(BINNED, SETTINGS.withSampling(new Sampling(0.4, 1)))) {
      TreeStructure same = grower.grow(changed, ones(), seed);
      assertThat(plain(same)).isEqualTo(plain(grown));
      assertThat(same.leafOf()).isEqualTo(grown.leafOf());
    }
    int[] sizes = new int[grown.leaves()];
    int[] leafOf = grown.leafOf();
    for (int row : drawn) {
      sizes[leafOf[row]]++;
    }
    assertThat(grown.leaves()).isGreaterThan(3);
    assertThat(Arrays.stream(sizes).min().orElseThrow()).isGreaterThanOrEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.1, 0.5, 0.999})
  void grow_rowSample_everyRowHasTheLeafThatTheTreeSendsItTo(double share) {
    try (var grower = new TreeGrower(BINNED, SETTINGS.withSampling(new Sampling(share, 1)))) {
      for (long seed = 0; seed < 5; seed++) {
        TreeStructure grown = grower.grow(random(seed), ones(), seed);
        Tree tree = plain(grown);
        double[] features = new double[ROWS.width()];
        int[] leafOf = grown.leafOf();
        for (int row = 0; row < ROWS.size(); row++) {
          ROWS.copyFeatures(row, features);
          assertThat(tree.leafOf(features)).as("row %s", row).isEqualTo(leafOf[row]);
        }
      }
    }
  }

  @Test
  void grow_featureSample_looksAtNoOthers() {
    Set<Integer> everUsed = new HashSet<>();
    try (var grower = new TreeGrower(BINNED, SETTINGS.withSampling(new Sampling(1, 0.5)))) {
      for (long seed = 0; seed < 20; seed++) {
        Tree tree = plain(grower.grow(random(1), ones(), seed));
        Set<Integer> used = new HashSet<>();
        for (int node = 0; node < tree.innerNodes(); node++) {
          used.add(tree.feature(node));
        }
        assertThat(Arrays.stream(columns(seed)).boxed()).containsAll(used);
        everUsed.addAll(used);
      }
    }
    assertThat(everUsed).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @Test
  void grow_ownSeedsForRowsAndFeatures_eachDrawsItsOwn() {
    try (var grower = new TreeGrower(BINNED, SETTINGS.withSampling(new Sampling(0.5, 0.5)))) {
      long other = 5;
      while (Arrays.equals(columns(other), columns(4))) {
        other++;
      }
      TreeStructure grown = grower.grow(random(1), ones(), 3, 4);
      assertThat(plain(grower.grow(random(1), ones(), 3, other))).isNotEqualTo(plain(grown));
      assertThat(plain(grower.grow(random(1), ones(), 2, 4))).isNotEqualTo(plain(grown));
      assertThat(plain(grower.grow(random(1), ones(), 3, 4))).isEqualTo(plain(grown));
    }
  }

  @Test
  void grow_everythingSampled_seedIsNoMatter() {
    try (var grower = new TreeGrower(BINNED, SETTINGS)) {
      assertThat(plain(grower.grow(random(1), ones(), 17)))
          .isEqualTo(plain(grower.grow(random(1), ones())));
    }
  }

  @Test
  void grow_arraysOfAnotherLength_isAClearError() {
    try (var grower = new TreeGrower(BINNED, SETTINGS)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> grower.grow(new double[599], ones()))
          .withMessage("there must be 600 gradients and hessians, rows times outputs: 599 and 600");
    }
  }

  private static int[] columns(long seed) {
    return Draws.of(seed, Draws.Purpose.COLUMNS, 4, 0.5);
  }

  private static Tree plain(TreeStructure grown) {
    return grown.withLeafValues(new double[grown.leaves()]);
  }

  private static double[] random(long seed) {
    var random = new SplittableRandom(seed);
    double[] values = new double[ROWS.size()];
    Arrays.setAll(
        values, row -> random.nextDouble() - 0.5 + 0.3 * (ROWS.feature(row, 1) > 4 ? 1 : -1));
    return values;
  }

  private static double[] ones() {
    double[] ones = new double[ROWS.size()];
    Arrays.fill(ones, 1);
    return ones;
  }
}
