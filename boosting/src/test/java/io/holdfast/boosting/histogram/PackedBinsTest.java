package io.holdfast.boosting.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.BinSums.Plain;
import io.holdfast.boosting.histogram.BinSums.Unrolled;
import io.holdfast.boosting.numeric.Buffers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums by packed bins against loops over the columns. */
class PackedBinsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 30, 33})
  void sums_anyWidth_areThoseByColumn(int width) {
    for (int size : new int[] {1, 2, 511, 512, 513, 1_300}) {
      Sample sample = new Sample(size, width);
      int[] every = IntStream.range(0, size).filter(row -> row % 3 != 1).toArray();
      int from = every.length / 4;
      int[] chosen = Arrays.copyOfRange(every, from, every.length);
      var gathered = sample.packed.newGathered(chosen.length, new Buffers());
      sample.packed.gather(every, from, every.length, from, sample.values, gathered);
      try (BinSums fast = BinSums.lease()) {
        assertThat(fast).isInstanceOf(Unrolled.class);
        for (BinSums sums : List.of(fast, new Plain())) {
          for (int plane = 0; plane < sample.packed.planes(); plane++) {
            long[] actual = new long[sample.packed.cells(plane) + 5];
            sample.packed.sum(plane, gathered, chosen.length, sums, actual, 5, false);
            sample.packed.swapMissing(plane, actual, 5);
            sample.check(plane, chosen, actual);
            Arrays.fill(actual, 77);
            sample.packed.sumAll(plane, sample.values, sums, actual, 5);
            sample.check(plane, IntStream.range(0, size).toArray(), actual);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 17, 30, 33, 100})
  void sums_rowsFarFromEachOther_areThoseByColumn(int width) {
    Sample sample = new Sample(70_000 / ((width + 7) / 8), width);
    int[] chosen = IntStream.range(0, sample.values.length / 9).map(k -> 9 * k + 5).toArray();
    var gathered = sample.packed.newGathered(chosen.length, new Buffers());
    sample.packed.gather(chosen, 0, chosen.length, 0, sample.values, gathered);
    try (BinSums sums = BinSums.lease()) {
      for (int plane = 0; plane < sample.packed.planes(); plane++) {
        long[] actual = new long[sample.packed.cells(plane) + 5];
        sample.packed.sum(plane, gathered, chosen.length, sums, actual, 5, false);
        sample.packed.swapMissing(plane, actual, 5);
        sample.check(plane, chosen, actual);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 17, 20, 30, 100})
  void firstColumn_anyWidth_fillsQuads(int width) {
    PackedBins packed = new Sample(1, width).packed;
    int quads = 0;
    for (int plane = 0; plane < packed.planes(); plane++) {
      int columns = packed.firstColumn(plane + 1) - packed.firstColumn(plane);
      assertThat(columns).isBetween(1, PackedBins.LANES);
      quads += (columns + 3) / 4;
    }
    assertThat(packed.planes()).isEqualTo((width + 7) / 8);
    assertThat(packed.firstColumn(packed.planes())).isEqualTo(width);
    assertThat(quads).isEqualTo((width + 3) / 4);
  }

  @Test
  void held_moreRecordsThanAllowed_isFalse() {
    BinnedRows binned = new Sample(100, 9).binned;
    PackedBins one = Objects.requireNonNull(PackedBins.of(binned, new Buffers(), 200));
    PackedBins other = Objects.requireNonNull(PackedBins.of(binned, new Buffers(), 199));
    assertThat(one.held()).isTrue();
    assertThat(other.held()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 6, 8, 10, 17})
  void subtract_someRows_leavesSumsOfTheOthers(int width) {
    for (int size : new int[] {1, 2, 600}) {
      Sample sample = new Sample(size, width);
      int[] some = IntStream.range(0, size).filter(row -> row % 5 == 1).toArray();
      int[] others = IntStream.range(0, size).filter(row -> row % 5 != 1).toArray();
      var gathered = sample.packed.newGathered(size, new Buffers());
      sample.packed.gather(some, 0, some.length, 0, sample.values, gathered);
      try (BinSums sums = BinSums.lease()) {
        for (int plane = 0; plane < sample.packed.planes(); plane++) {
          long[] actual = new long[sample.packed.cells(plane) + 5];
          sample.packed.sumAll(plane, sample.values, sums, actual, 5);
          sample.packed.subtract(plane, gathered, some.length, actual, 5);
          sample.check(plane, others, actual);
        }
      }
    }
  }

  @Test
  void lease_moreThanThereAre_givesPlainOnes() {
    List<BinSums> leases = new ArrayList<>();
    for (int k = 0; k < 40; k++) {
      leases.add(BinSums.lease());
    }
    assertThat(leases).hasAtLeastOneElementOfType(Plain.class);
    leases.forEach(BinSums::close);
    try (BinSums again = BinSums.lease()) {
      assertThat(again).isInstanceOf(Unrolled.class);
    }
  }

  @Test
  void packed_moreBinsThanAByteHolds_isNone() {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < 300; row++) {
      rows.add(new double[] {row}, 0, "all");
    }
    List<Feature> features = List.of(new Feature.Numeric("x"));
    assertThat(PackedBins.of(BinnedRows.of(rows.build(), features, 255), new Buffers(), 1))
        .isNotNull();
    assertThat(PackedBins.of(BinnedRows.of(rows.build(), features, 256), new Buffers(), 1))
        .isNull();
  }

  /** Columns of few, many and 255 bins, with missing values. */
  private static final class Sample {
    final BinnedRows binned;
    final PackedBins packed;
    final long[] values;

    Sample(int size, int width) {
      var random = new SplittableRandom(size * 100L + width);
      Rows.Builder rows = Rows.builder(width);
      List<Feature> features = new ArrayList<>();
      for (int column = 0; column < width; column++) {
        features.add(new Feature.Numeric("x" + column));
      }
      double[] x = new double[width];
      for (int row = 0; row < size; row++) {
        for (int column = 0; column < width; column++) {
          x[column] = random.nextInt(column % 3 == 0 ? 3 : column % 3 == 1 ? 100 : 1000);
          x[column] = random.nextInt(10) == 0 ? Double.NaN : x[column];
        }
        rows.add(x, 0, "all");
      }
      binned = BinnedRows.of(rows.build(), features, 255);
      packed = Objects.requireNonNull(PackedBins.of(binned, new Buffers(), PackedBins.MOST_WHOLE));
      values = random.longs(size, -1_000_000, 1_000_000).toArray();
    }

    void check(int plane, int[] rows, long[] actual) {
      for (int column = packed.firstColumn(plane);
          column < packed.firstColumn(plane + 1);
          column++) {
        int bins = binned.bins(column);
        long[] expected = new long[packed.bins(plane) + 1];
        for (int row : rows) {
          int bin = binned.column(column).bin(row);
          expected[bin == bins ? packed.bins(plane) : bin] += values[row];
        }
        for (int bin = 0; bin < expected.length; bin++) {
          int at = 5 + bin * PackedBins.LANES + column - packed.firstColumn(plane);
          assertThat(actual[at]).as("column %s bin %s", column, bin).isEqualTo(expected[bin]);
        }
      }
    }
  }
}
