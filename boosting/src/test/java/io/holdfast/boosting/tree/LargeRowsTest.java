package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.data.WideRows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * That a million rows of a thousand features overflow nothing. A thousand columns of their own
 * would be a gigabyte of bins: here they share the storage of four, so that every index is as large
 * as it can be, and every histogram cell is filled.
 */
class LargeRowsTest {
  private static final int MILLION = 1_000_000;
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("a"),
          new Feature.Numeric("b"),
          new Feature.Numeric("c"),
          new Feature.Categorical("d", IntStream.range(0, 200).mapToObj(k -> "d" + k).toList()));

  @Test
  void grow_millionRowsOfAThousandColumns_findsTheSplitInTheLastColumn() {
    BinnedRows four = BinnedRows.of(rows(MILLION), FEATURES, 255);
    int[] columns = new int[1000];
    Arrays.setAll(columns, column -> column == 999 ? 1 : 2 * (column % 2));
    BinnedRows wide = WideRows.select(four, columns);
    double[] gradients = new double[MILLION];
    for (int row = 0; row < MILLION; row++) {
      gradients[row] = wide.column(999).bin(row) <= 100 ? -1 : 1;
    }
    var settings = GrowthSettings.of(new TreeLimits(2, 1, 20, 1, 0), Penalties.ridge(1));
    try (var grower = new TreeGrower(wide, settings.withThreads(2))) {
      TreeStructure grown = grower.grow(gradients, ones(MILLION));
      Tree tree = grown.withLeafValues(new double[2]);
      assertThat(tree.feature(0)).isEqualTo(999);
      assertThat(tree.threshold(0)).isEqualTo(four.threshold(1, 100));
      int[] leafOf = grown.leafOf();
      for (int row = 0; row < MILLION; row++) {
        assertThat(leafOf[row] == 0).isEqualTo(gradients[row] < 0);
      }
    }
  }

  @Test
  void grow_severalOutputsOrEnvironmentsOfAThousandColumns_findTheSplitInTheLastOne() {
    int size = 20_000;
    BinnedRows four = BinnedRows.of(rows(size), FEATURES, 255);
    int[] columns = new int[1000];
    Arrays.setAll(columns, column -> column == 999 ? 3 : column % 3);
    BinnedRows wide = WideRows.select(four, columns);
    double[] gradients = new double[5 * size];
    int[] groupOf = new int[size];
    for (int row = 0; row < size; row++) {
      groupOf[row] = row % 9;
      gradients[row] = wide.column(999).bin(row) % 3 == 0 ? -1 : 1;
      gradients[4 * size + row] = 3 * gradients[row];
    }
    var ridge = GrowthSettings.of(new TreeLimits(2, 1, 20, 1, 0), Penalties.ridge(1));
    double[] groupWeights = new double[9];
    Arrays.fill(groupWeights, size / 9.0);
    var coupled = ridge.withCoupling(new AnchorCoupling(groupOf, groupWeights, 6));
    for (GrowthSettings settings : List.of(ridge.withOutputs(5), coupled)) {
      try (var grower = new TreeGrower(wide, settings)) {
        double[] slopes = Arrays.copyOf(gradients, settings.outputs() * size);
        TreeStructure grown = grower.grow(slopes, ones(slopes.length));
        assertThat(grown.leaves()).isEqualTo(2);
        assertThat(grown.withLeafValues(new double[2]).feature(0)).isEqualTo(999);
      }
    }
  }

  @Test
  void grower_moreSumsThanAnArrayHolds_isAClearError() {
    BinnedRows wide = WideRows.select(BinnedRows.of(rows(5000), FEATURES, 255), new int[100_000]);
    var settings = GrowthSettings.of(new TreeLimits(2, 1, 20, 1, 0), Penalties.ridge(1));
    assertThat(wide.cells()).isEqualTo(25_600_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TreeGrower(wide, settings.withOutputs(50)).close())
        .withMessage(
            "bins of all features times sums of each must be at most 2147483639: 25600000 times"
                + " 101");
    var many = new AnchorCoupling(new int[5000], new double[100], 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TreeGrower(wide, settings.withCoupling(many)).close())
        .withMessageContaining("25600000 times 102");
    BinnedRows tall = BinnedRows.of(rows(5000), FEATURES, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TreeGrower(tall, settings.withOutputs(1 << 19)).close())
        .withMessage("rows times sums of each must be at most 2147483639: 5000 times 1048576");
  }

  @Test
  void bins_moreThanAnIndexHolds_isAClearError() {
    BinnedRows four = BinnedRows.of(rows(70_000), FEATURES, 65_535);
    assertThat(four.bins(0)).isEqualTo(65_535);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WideRows.select(four, new int[40_000]))
        .withMessage(
            "all features together must have at most 2147483647 bins (lower maxBins, or leave out"
                + " features): 2147483648 with the first 32768 of them");
  }

  private static Rows rows(int size) {
    var random = new SplittableRandom(1);
    Rows.Builder rows = Rows.builder(4);
    double[] values = new double[4];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < 3; column++) {
        values[column] = random.nextDouble();
      }
      values[3] = random.nextInt(200);
      rows.add(values, 0, "all");
    }
    return rows.build();
  }

  private static double[] ones(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }
}
