package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.numeric.Buffers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptBinsTest {
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("x"),
          new Feature.Categorical("kind", List.of("a", "b")),
          new Feature.Numeric("y"));
  private static final KeptBins.Check ALWAYS = (bins, counts) -> true;
  private static final KeptBins.Check NEVER = (bins, counts) -> false;

  @ParameterizedTest
  @ValueSource(ints = {2, 20, 255, 1000})
  void of_nothingKept_thresholdsOfTheRowsAndHowTheyLieInThem(int maxBins) {
    Rows rows = rows(3000, 1, 0);

    BinnedRows plain = BinnedRows.of(rows, FEATURES, maxBins);
    BinnedRows binned = bin(rows, maxBins, null, ALWAYS);

    Bins bins = found(binned);
    assertThat(plain.bins()).isNull();
    assertThat(bins.maxBins()).isEqualTo(maxBins);
    assertThat(bins.features()).extracting(FeatureBins::feature).containsExactly(0, 2);
    assertThat(bins.of(1)).isNull();
    assertSame(plain, binned, rows.size());
    for (FeatureBins of : bins.features()) {
      int[] counts = new int[of.bins() + 1];
      for (int row = 0; row < rows.size(); row++) {
        double value = rows.feature(row, of.feature());
        int bin = 0;
        while (bin < of.bins() - 1 && !Double.isNaN(value) && value > of.threshold(bin)) {
          bin++;
        }
        counts[Double.isNaN(value) ? of.bins() : bin]++;
      }
      assertThat(of.rows()).isEqualTo(rows.size());
      for (int bin = 0; bin <= of.bins(); bin++) {
        assertThat(of.count(bin)).isEqualTo(counts[bin]);
      }
    }
  }

  @Test
  void of_binsThatStay_areTheSameInstanceAndOtherRowsAreMappedToThem() {
    Bins bins = found(bin(rows(3000, 1, 0), 255, null, ALWAYS));
    Rows later = rows(2000, 2, 5);

    BinnedRows binned = bin(later, 255, bins, ALWAYS);

    assertThat(binned.bins()).isSameAs(bins);
    for (int feature : new int[] {0, 2}) {
      FeatureBins of = of(bins, feature);
      assertThat(binned.bins(feature)).isEqualTo(of.bins());
      for (int row = 0; row < later.size(); row++) {
        double value = later.feature(row, feature);
        int expected = Double.isNaN(value) ? of.bins() : ThresholdsTest.bin(of.thresholds(), value);
        assertThat(binned.column(feature).bin(row)).isEqualTo(expected);
      }
    }
  }

  @Test
  void of_oneFeatureThatMoved_getsTheThresholdsOfTheRowsAndTheOtherKeepsIts() {
    Bins bins = found(bin(rows(3000, 1, 0), 255, null, ALWAYS));
    Rows later = rows(2000, 2, 5);
    List<Integer> asked = new ArrayList<>();

    BinnedRows binned =
        bin(
            later,
            255,
            bins,
            (of, counts) -> {
              asked.add(of.feature());
              assertThat(Arrays.stream(counts).sum()).isEqualTo(later.size());
              return of.feature() != 2;
            });

    assertThat(asked).containsExactly(0, 2);
    assertThat(of(found(binned), 0)).isSameAs(of(bins, 0));
    assertThat(of(found(binned), 2)).isNotEqualTo(of(bins, 2));
    assertThat(of(found(binned), 2)).isEqualTo(of(found(bin(later, 255, null, ALWAYS)), 2));
  }

  @Test
  void of_binForEachValue_isNotKeptSinceOtherValuesWouldNotShow() {
    Rows year = rowsOfYear(300, 0);

    BinnedRows first = bin(year, 255, null, ALWAYS);
    BinnedRows later = bin(rowsOfYear(300, 1), 255, first.bins(), ALWAYS);

    assertThat(first.bins(2)).isEqualTo(1);
    assertThat(found(first).of(2)).isNull();
    assertThat(found(first).of(0)).isNotNull();
    assertThat(later.bins()).isSameAs(first.bins());
    assertThat(later.bins(2)).isEqualTo(2);
  }

  @Test
  void of_binsOfAnotherNumber_areFoundAnew() {
    Bins bins = found(bin(rows(3000, 1, 0), 255, null, ALWAYS));
    Rows later = rows(2000, 2, 5);

    BinnedRows binned = bin(later, 100, bins, ALWAYS);

    assertThat(binned.bins()).isEqualTo(bin(later, 100, null, ALWAYS).bins());
    assertSame(BinnedRows.of(later, FEATURES, 100), binned, later.size());
  }

  @Test
  void of_nothingStays_isAsIfNothingWereKept() {
    Bins bins = found(bin(rows(3000, 1, 0), 255, null, ALWAYS));
    Rows later = rows(2000, 2, 5);

    BinnedRows binned = bin(later, 255, bins, NEVER);

    assertThat(binned.bins()).isEqualTo(bin(later, 255, null, ALWAYS).bins());
    assertSame(BinnedRows.of(later, FEATURES, 255), binned, later.size());
  }

  @Test
  void of_moreRowsThanThresholdsAreFoundBy_countsAll() {
    Rows rows = rows(210_000, 3, 0);

    BinnedRows binned = bin(rows, 10, null, ALWAYS);

    assertThat(of(found(binned), 0).rows()).isEqualTo(210_000);
    assertSame(BinnedRows.of(rows, FEATURES, 10), binned, rows.size());
  }

  @Test
  void bins_thatCannotBe_areRefusedInOneSentence() {
    assertThatThrownBy(() -> new FeatureBins(0, new double[] {1, 1}, new int[4]))
        .hasMessage("thresholds must ascend and be numbers: 1.0 at 1");
    assertThatThrownBy(() -> new FeatureBins(0, new double[] {Double.NaN}, new int[3]))
        .hasMessage("thresholds must ascend and be numbers: NaN at 0");
    assertThatThrownBy(() -> new FeatureBins(0, new double[] {1}, new int[2]))
        .hasMessage("1 thresholds must have 3 counts, the missing rows' last: 2");
    assertThatThrownBy(() -> new FeatureBins(0, new double[0], new int[] {1, -1}))
        .hasMessage("rows must be counted from 0: -1");
    var two = new FeatureBins(0, new double[] {1}, new int[3]);
    assertThatThrownBy(() -> new Bins(2, List.of(two, two)))
        .hasMessage("features must come in their order, each once: 0 after 0");
    var three = new FeatureBins(0, new double[] {1, 2}, new int[4]);
    assertThatThrownBy(() -> new Bins(2, List.of(three)))
        .hasMessage("feature 0 must have at most 2 bins: 3");
  }

  private static Bins found(BinnedRows binned) {
    return Objects.requireNonNull(binned.bins());
  }

  private static FeatureBins of(Bins bins, int feature) {
    return Objects.requireNonNull(bins.of(feature));
  }

  private static BinnedRows bin(Rows rows, int maxBins, @Nullable Bins bins, KeptBins.Check check) {
    return BinnedRows.of(
        rows,
        FEATURES,
        maxBins,
        new Buffers(),
        new KeptBins(bins, check),
        () -> CategoryTargets.ofLabels(rows));
  }

  private static void assertSame(BinnedRows expected, BinnedRows actual, int rows) {
    for (int column = 0; column < FEATURES.size(); column++) {
      assertThat(actual.bins(column)).isEqualTo(expected.bins(column));
      for (int row = 0; row < rows; row++) {
        if (actual.column(column).bin(row) != expected.column(column).bin(row)) {
          throw new AssertionError("row " + row + " of column " + column);
        }
      }
    }
  }

  /** x of many values; y is 0 and, after the first half, {@code last}. */
  private static Rows rowsOfYear(int size, double last) {
    var random = new SplittableRandom(1);
    Rows.Builder rows = Rows.builder(FEATURES.size());
    for (int row = 0; row < size; row++) {
      rows.add(new double[] {random.nextGaussian(), 0, 2 * row < size ? 0 : last}, 0);
    }
    return rows.build();
  }

  /** x of many values, some of them missing; y of many others. */
  private static Rows rows(int size, long seed, double shift) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(FEATURES.size());
    for (int row = 0; row < size; row++) {
      double x = random.nextInt(10) == 0 ? Double.NaN : random.nextGaussian();
      rows.add(new double[] {x, random.nextInt(2), random.nextDouble(30) + shift}, 0);
    }
    return rows.build();
  }
}
