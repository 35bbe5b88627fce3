package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trees by packed cells against trees by channels. */
class QuantisedSplitsTest {
  private static final TreeLimits LIMITS = new TreeLimits(24, 7, 5, 0.5, 1e-9);

  /** What a leaf is searched by. */
  enum Kind {
    SCANNED,
    RIDGE,
    LASSO,
    MONOTONE,
    SAMPLED;

    GrowthSettings settings() {
      GrowthSettings plain = GrowthSettings.of(LIMITS, Penalties.ridge(0));
      return switch (this) {
        case SCANNED -> plain;
        case RIDGE -> GrowthSettings.of(LIMITS, new Penalties(0, 0.7, 0.01));
        case LASSO -> GrowthSettings.of(LIMITS, new Penalties(0.4, 0.7, 0));
        case MONOTONE -> plain.withMonotone(List.of(1, 0, -1, 0));
        case SAMPLED -> plain.withSampling(new Sampling(0.8, 0.7));
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void grow_numbersOfFewDigits_sameTreeAsByChannels(Kind kind) {
    for (boolean equalHessians : new boolean[] {true, false}) {
      for (long seed = 1; seed <= 4; seed++) {
        Rows rows = SampleRows.of(new Squared(), seed, 1_500, 3);
        double[] gradients = new double[rows.size()];
        double[] hessians = new double[rows.size()];
        var random = new SplittableRandom(seed);
        Arrays.setAll(gradients, row -> Math.rint(64 * (0.2 - rows.label(row))) / 64);
        Arrays.setAll(hessians, row -> equalHessians ? 0.5 : random.nextInt(1, 64) / 64.0);
        BinnedRows binned = BinnedRows.of(rows, SampleRows.FEATURES, 100);
        TreeStructure packed = grow(binned, kind.settings(), gradients, hessians, seed);
        TreeStructure plain;
        try (var grower =
            new TreeGrower(binned, kind.settings(), new Buffers(), new Workers(1), true, false)) {
          plain = grower.grow(gradients, hessians, seed);
        }
        assertThat(packed.leaves()).isGreaterThan(10);
        double[] values = new double[plain.leaves()];
        assertThat(packed.withLeafValues(values)).isEqualTo(plain.withLeafValues(values));
        assertThat(packed.leafOf()).isEqualTo(plain.leafOf());
        for (int node = 0; node < plain.leaves() - 1; node++) {
          assertThat(packed.gain(node)).isEqualTo(plain.gain(node));
        }
      }
    }
  }

  private static TreeStructure grow(
      BinnedRows binned,
      GrowthSettings settings,
      double[] gradients,
      double[] hessians,
      long seed) {
    try (var grower = new TreeGrower(binned, settings)) {
      return grower.grow(gradients, hessians, seed);
    }
  }
}
