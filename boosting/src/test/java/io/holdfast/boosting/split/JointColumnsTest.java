package io.holdfast.boosting.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.JointColumns;
import io.holdfast.boosting.histogram.OutputChannels;
import io.holdfast.boosting.histogram.RowSamples;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.split.SplitFinder.Searches;
import io.holdfast.boosting.split.SplitGain.MultiOutputGain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns whose rows are added up together, against the same columns one by one. */
class JointColumnsTest {
  private static final int SIZE = 600;
  private static final int OUTPUTS = 3;

  /** Bins that the columns of a sample have; one of them misses values, one is numeric. */
  private static final int[] KINDS = {2, 2, 2, 2, 2, 3, 2, 40, 2, 16, 2, 2, 1, 2};

  private static final int MISSING = 3;
  private static final int NUMERIC = 9;

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 40, 63, 64, 65, 256, SIZE})
  void build_manyOrFewRows_isTheHistogramOfEachColumn(int rows) {
    Sample sample = new Sample(rows);
    int[] chosen = IntStream.range(0, rows).map(k -> SIZE - 1 - k * SIZE / rows).toArray();
    int[] all = IntStream.range(0, KINDS.length).toArray();
    long[] joint = sample.histogram(JointColumns.of(sample.binned), all, chosen);
    long[] single = sample.histogram(JointColumns.single(sample.binned), all, chosen);
    assertThat(joint).isEqualTo(single);
    assertThat(Arrays.stream(single).anyMatch(sum -> sum != 0)).isTrue();
  }

  @Test
  void build_someColumns_areThose() {
    Sample sample = new Sample(5);
    int[] some = {1, 4, 7, 12};
    int[] rows = IntStream.range(0, SIZE).toArray();
    long[] joint = sample.histogram(JointColumns.of(sample.binned), some, rows);
    long[] single = sample.histogram(JointColumns.single(sample.binned), some, rows);
    int sums = 1 + 2 * OUTPUTS;
    for (int column : some) {
      int from = sample.binned.firstCell(column) * sums;
      int to = sample.binned.firstCell(column + 1) * sums;
      assertThat(Arrays.copyOfRange(joint, from, to))
          .isEqualTo(Arrays.copyOfRange(single, from, to));
    }
  }

  @Test
  void of_columns_areNeighboursOfFewCells() {
    Sample sample = new Sample(1);
    JointColumns joint = JointColumns.of(sample.binned);
    List<Integer> sizes = new ArrayList<>();
    for (int group = 0; group < joint.groups(); group++) {
      assertThat(joint.first(group)).isEqualTo(group == 0 ? 0 : joint.end(group - 1));
      sizes.add(joint.end(group) - joint.first(group));
      assertThat(joint.together(group, SIZE)).isEqualTo(sizes.getLast() > 1);
    }
    assertThat(sizes).containsExactly(4, 3, 1, 2, 4);
    assertThat(joint.mostCells()).isEqualTo(32);
  }

  @Test
  void single_columns_areByThemselves() {
    Sample sample = new Sample(1);
    JointColumns single = JointColumns.single(sample.binned);
    assertThat(single.groups()).isEqualTo(KINDS.length);
    assertThat(single.mostCells()).isZero();
    assertThat(single.together(3, SIZE)).isFalse();
  }

  /** Rows of columns of few bins, and derivatives. */
  private static final class Sample {
    private final BinnedRows binned;
    private final double[] gradients = new double[OUTPUTS * SIZE];
    private final double[] hessians = new double[OUTPUTS * SIZE];

    Sample(long seed) {
      var random = new SplittableRandom(seed);
      Rows.Builder rows = Rows.builder(KINDS.length);
      for (int row = 0; row < SIZE; row++) {
        double[] values = new double[KINDS.length];
        for (int column = 0; column < values.length; column++) {
          values[column] = row < KINDS[column] ? row : random.nextInt(KINDS[column]);
        }
        values[MISSING] = row % 5 == 4 ? Double.NaN : values[MISSING];
        rows.add(values, 0);
      }
      List<Feature> features = new ArrayList<>();
      for (int column = 0; column < KINDS.length; column++) {
        List<String> codes = IntStream.range(0, KINDS[column]).mapToObj(k -> "code " + k).toList();
        String name = "column " + column;
        features.add(
            column == NUMERIC ? new Feature.Numeric(name) : new Feature.Categorical(name, codes));
      }
      binned = BinnedRows.of(rows.build(), features, 64);
      Arrays.setAll(gradients, entry -> random.nextDouble() - 0.5);
      Arrays.setAll(hessians, entry -> random.nextDouble());
    }

    long[] histogram(JointColumns joint, int[] columns, int[] rows) {
      var settings =
          new SplitSettings(
              new TreeLimits(2, 1, 1, 0, 0), new Penalties(0, 1, 0), List.of(), 1, null);
      int sums = 2 * OUTPUTS;
      var searches =
          new Searches(
              binned, settings, () -> new MultiOutputGain(settings.penalties(), OUTPUTS), sums, 1);
      var channels = new OutputChannels(OUTPUTS, SIZE, new Buffers());
      var kernel = new GeneralSplits(binned, channels, searches, joint);
      kernel.start(gradients, hessians, RowSamples.of(rows), columns);
      long[] histogram = new long[kernel.cells()];
      Arrays.fill(histogram, 7); // whatever was there before
      for (int task : kernel.tasks) {
        kernel.build(0, task, rows, 0, rows.length, histogram);
      }
      return histogram;
    }
  }
}
