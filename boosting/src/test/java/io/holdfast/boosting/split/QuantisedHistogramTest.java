package io.holdfast.boosting.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.data.WideRows;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.RowSamples;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.split.SplitFinder.Searches;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuantisedHistogramTest {
  private static final int ROWS = 5_000;

  /** 113 planes of 5,000 rows are not held plane by plane; one is. */
  @Test
  void build_allRowsOfManyColumns_isWhatEachColumnGives() {
    var random = new SplittableRandom(3);
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < ROWS; row++) {
      double x = random.nextInt(20) == 0 ? Double.NaN : random.nextDouble();
      rows.add(new double[] {x}, 0, "all");
    }
    BinnedRows binned = BinnedRows.of(rows.build(), List.of(new Feature.Numeric("x")), 255);
    double[] gradients = random.doubles(ROWS, -1, 1).toArray();
    double[] hessians = random.doubles(ROWS, 0, 1).toArray();
    long[] one = root(WideRows.select(binned, new int[8]), gradients, hessians);
    long[] many = root(WideRows.select(binned, new int[904]), gradients, hessians);
    for (int from = 0; from < many.length; from += one.length) {
      assertThat(Arrays.copyOfRange(many, from, from + one.length)).isEqualTo(one);
    }
  }

  private static long[] root(BinnedRows binned, double[] gradients, double[] hessians) {
    var penalties = Penalties.ridge(1);
    var settings = new SplitSettings(TreeLimits.DEFAULT, penalties, List.of(), 1, null);
    var searches = new Searches(binned, settings, () -> new ScalarGain(penalties), 2, 1);
    try (Workers workers = new Workers(1)) {
      QuantisedSplits splits =
          Objects.requireNonNull(
              QuantisedSplits.of(binned, settings, searches, workers, new Buffers()));
      int[] columns = IntStream.range(0, binned.columns()).toArray();
      RowSample all = RowSamples.of(IntStream.range(0, ROWS).toArray());
      assertThat(splits.start(gradients, hessians, all, columns)).isNotNull();
      long[] histogram = new long[splits.cells()];
      splits.gather(all.rows(), 0, ROWS, histogram);
      for (int plane : splits.tasks) {
        splits.build(0, plane, all.rows(), 0, ROWS, histogram);
      }
      splits.close();
      return histogram;
    }
  }
}
