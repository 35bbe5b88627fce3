package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinnedRowsTest {
  private static final Feature KIND = new Feature.Categorical("kind", List.of("a", "b", "c", "d"));

  @Test
  void of_categories_onlyThoseThatOccurAndTheRestMissing() {
    BinnedRows binned = column(KIND, 255, 3, 1, Double.NaN, 1, 4, -1, 1.5, 1e18, 0.0 / 0);
    assertThat(binned.categorical(0)).isTrue();
    assertThat(binned.bins(0)).isEqualTo(2);
    assertThat(binned.category(0, 0)).isEqualTo(1);
    assertThat(binned.category(0, 1)).isEqualTo(3);
    assertThat(bins(binned)).containsExactly(1, 0, 2, 0, 2, 2, 2, 2, 2);
  }

  @Test
  void of_moreCategoriesThanBins_noneIsLost() {
    BinnedRows binned = column(KIND, 2, 0, 1, 1, 2, 2, 2, 3, 3, Double.NaN);
    CategoryGroups groups = Objects.requireNonNull(binned.groups(0));
    assertThat(binned.bins(0)).isEqualTo(groups.count()).isBetween(1, 2);
    assertThat(IntStream.range(0, 4).map(groups::of)).allMatch(group -> group >= 0);
    assertThat(groups.of(4)).isEqualTo(CategoryGroups.NONE);
    assertThat(bins(binned)[8]).isEqualTo(binned.bins(0));
    assertThat(Arrays.stream(bins(binned)).limit(8)).allMatch(bin -> bin < binned.bins(0));
  }

  @Test
  void of_fewCategoriesOfHighCodes_groupOfEach() {
    Feature wide =
        new Feature.Categorical("wide", IntStream.range(0, 90_000).mapToObj(k -> "c" + k).toList());
    BinnedRows binned = column(wide, 255, 89_999, 7, 89_999, 20_000);
    CategoryGroups groups = Objects.requireNonNull(binned.groups(0));
    assertThat(bins(binned)).containsExactly(2, 0, 2, 1);
    assertThat(groups.count()).isEqualTo(3);
    assertThat(groups.of(89_999)).isEqualTo(2);
    assertThat(groups.of(8)).isEqualTo(CategoryGroups.NONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 254, 255, 256, 257, 1000})
  void of_numbers_sameBinsInBytesAndChars(int distinct) {
    var random = new SplittableRandom(distinct);
    double[] values = new double[3000];
    for (int row = 0; row < values.length; row++) {
      values[row] = row < distinct ? row : random.nextInt(distinct + 1);
      if (values[row] == distinct) {
        values[row] = Double.NaN;
      }
    }
    BinnedRows binned = column(new Feature.Numeric("x"), 2000, values);
    assertThat(binned.bins(0)).isEqualTo(distinct);
    assertThat(binned.cells()).isEqualTo(distinct + 1);
    assertThat(binned.column(0))
        .isInstanceOf(distinct < 256 ? BinColumn.Bytes.class : BinColumn.Chars.class);
    for (int row = 0; row < values.length; row++) {
      int expected = Double.isNaN(values[row]) ? distinct : (int) values[row];
      assertThat(binned.column(0).bin(row)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 64, 1001})
  void accumulate_eitherStorage_sameSumsAsPlainLoop(int rows) {
    var random = new SplittableRandom(rows);
    int[] binOf = new int[rows];
    long[] pairs = new long[2 * rows];
    for (int row = 0; row < rows; row++) {
      binOf[row] = random.nextInt(200);
      pairs[2 * row] = random.nextLong(-50, 50);
      pairs[2 * row + 1] = random.nextLong(50);
    }
    int[] some = IntStream.range(0, rows).filter(row -> row % 3 != 1).toArray();
    long[] sums = new long[3 * 210];
    for (int k = 0; k < some.length; k++) {
      int cell = 7 + binOf[some[k]];
      sums[3 * cell]++;
      sums[3 * cell + 1] += pairs[2 * k];
      sums[3 * cell + 2] += pairs[2 * k + 1];
    }
    for (int bins : new int[] {200, 300}) {
      long[] actual = new long[sums.length];
      BinColumn.of(binOf, bins).accumulate(some, 0, some.length, pairs, actual, 7);
      assertThat(actual).isEqualTo(sums);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 64, 1001})
  void part_eitherStorage_keepsTheOrderOfEachSide(int rows) {
    var random = new SplittableRandom(rows);
    int[] binOf = IntStream.range(0, rows).map(_ -> random.nextInt(9)).toArray();
    int[] right = {0, 1, 1, 0, 1, 0, 0, 1, 1};
    int[] sides =
        IntStream.concat(
                IntStream.range(0, rows).filter(row -> right[binOf[row]] == 0),
                IntStream.range(0, rows).filter(row -> right[binOf[row]] == 1))
            .toArray();
    for (int bins : new int[] {9, 300}) {
      int[] all = IntStream.range(-2, rows).toArray();
      int end = BinColumn.of(binOf, bins).part(all, 2, all.length, right, new int[rows]);
      assertThat(Arrays.copyOfRange(all, 2, all.length)).isEqualTo(sides);
      assertThat(end - 2)
          .isEqualTo((int) Arrays.stream(sides).filter(r -> right[binOf[r]] == 0).count());
    }
  }

  @Test
  void extendsOlder_sameOrMoreCategories_only() {
    Feature older = new Feature.Categorical("kind", List.of("a", "b"));
    assertThat(KIND.extendsOlder(older)).isTrue();
    assertThat(KIND.extendsOlder(KIND)).isTrue();
    assertThat(older.extendsOlder(KIND)).isFalse();
    assertThat(KIND.extendsOlder(new Feature.Categorical("kind", List.of("b")))).isFalse();
    assertThat(KIND.extendsOlder(new Feature.Categorical("sort", List.of("a")))).isFalse();
    assertThat(KIND.extendsOlder(new Feature.Numeric("kind"))).isFalse();
    assertThat(new Feature.Numeric("x").extendsOlder(new Feature.Numeric("x"))).isTrue();
  }

  private static BinnedRows column(Feature feature, int maxBins, double... values) {
    Rows.Builder rows = Rows.builder(1);
    for (double value : values) {
      rows.add(new double[] {value}, 0, "all");
    }
    return BinnedRows.of(rows.build(), List.of(feature), maxBins);
  }

  private static int[] bins(BinnedRows binned) {
    return IntStream.range(0, binned.rows()).map(binned.column(0)::bin).toArray();
  }
}
