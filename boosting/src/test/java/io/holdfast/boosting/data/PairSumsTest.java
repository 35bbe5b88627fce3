package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairSumsTest {
  private static final int ROWS = 700;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void loops_byVectors_addUpWhatScalarOnesDo(int width) {
    PairLoops vectors = PairSums.vectors();
    assumeTrue(vectors != null, "no vectors of 256 bits on this machine");
    var random = new SplittableRandom(width);
    long[] plane = random.longs(ROWS).toArray();
    long[] pairs = random.longs(2 * ROWS).toArray();
    byte[][] columns = new byte[width + 1][ROWS];
    for (byte[] column : columns) {
      random.nextBytes(column);
    }
    try (PairSums sums = Objects.requireNonNull(PairSums.lease())) {
      assertThat(lanes(added(sums, vectors, plane, columns, width, pairs), width))
          .isEqualTo(
              lanes(added(sums, new ScalarPairLoops(), plane, columns, width, pairs), width));
    }
  }

  private static long[] added(
      PairSums sums, PairLoops loops, long[] plane, byte[][] columns, int width, long[] pairs) {
    sums.clear(PlaneSums.BINS);
    loops.add(sums.slot(), plane, 3, pairs, ROWS - 3, width);
    loops.addColumns(sums.slot(), columns, 1, width, pairs, ROWS);
    int cells = PlaneSums.BINS * PackedRows.LANES;
    long[] target = new long[2 * cells + 3];
    loops.part(sums.slot(), cells, target, 1, cells + 2);
    loops.addTo(sums.slot(), cells, target, 1, cells + 2);
    return target;
  }

  /** What stands in the first lanes. */
  private static List<Long> lanes(long[] sums, int width) {
    List<Long> kept = new ArrayList<>();
    int cells = PlaneSums.BINS * PackedRows.LANES;
    for (int k = 0; k < cells; k++) {
      if (k % PackedRows.LANES < width) {
        kept.addAll(Arrays.asList(sums[1 + k], sums[cells + 2 + k]));
      }
    }
    return kept;
  }

  @Test
  void lease_moreThanThereAre_isNone() {
    List<PairSums> leases = new ArrayList<>();
    PairSums lease = PairSums.lease();
    while (lease != null) {
      leases.add(lease);
      lease = PairSums.lease();
    }
    assertThat(leases).hasSizeBetween(1, PairSums.SLOTS);
    leases.forEach(PairSums::close);
    try (PairSums again = PairSums.lease()) {
      assertThat(again).isNotNull();
    }
  }
}
