package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CategoryGroupingTest {
  private static final int CATEGORIES = 1_000;
  private static final Feature KIND =
      new Feature.Categorical(
          "kind", IntStream.range(0, CATEGORIES).mapToObj(k -> "k" + k).toList());

  @ParameterizedTest
  @ValueSource(ints = {2, 16, 255})
  void of_twoLevels_noGroupHasBoth(int maxBins) {
    var random = new SplittableRandom(1);
    Rows rows = rows(10, code -> (code % 2 == 0 ? 5 : -5) + random.nextDouble());
    BinnedRows binned = BinnedRows.of(rows, List.of(KIND), maxBins);
    CategoryGroups groups = Objects.requireNonNull(binned.groups(0));
    assertThat(groups.count()).isBetween(2, maxBins);
    boolean[][] has = new boolean[groups.count()][2];
    for (int code = 0; code < CATEGORIES; code++) {
      has[groups.of(code)][code % 2] = true;
    }
    assertThat(List.of(has)).noneMatch(levels -> levels[0] && levels[1]);
  }

  @Test
  void of_heavyCategories_haveGroupsOfTheirOwn() {
    Rows.Builder rows = Rows.builder(1);
    var random = new SplittableRandom(2);
    for (int code = 0; code < CATEGORIES; code++) {
      for (int k = 0; k < (code < 7 ? 150 : 3); k++) {
        rows.add(new double[] {code}, random.nextDouble(), "all");
      }
    }
    BinnedRows binned = BinnedRows.of(rows.build(), List.of(KIND), 20);
    CategoryGroups groups = Objects.requireNonNull(binned.groups(0));
    for (int code = 0; code < 7; code++) {
      int group = groups.of(code);
      assertThat(IntStream.range(0, CATEGORIES).filter(k -> groups.of(k) == group).count())
          .isEqualTo(1);
    }
  }

  /** What a category says can be learned from other rows alone: an id foretells nothing. */
  @Test
  void of_eachValueOnce_oneGroup() {
    var random = new SplittableRandom(3);
    BinnedRows binned = BinnedRows.of(rows(1, _ -> random.nextDouble()), List.of(KIND), 255);
    assertThat(binned.bins(0)).isEqualTo(1);
  }

  /** With two or more rows of noise the groups differ, but no row's label chose the row's own. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5, 20})
  void of_noise_groupsDoNotForetellTheirRows(int rowsOfEach) {
    double squares = 0;
    int seeds = 20;
    for (int seed = 0; seed < seeds; seed++) {
      var random = new SplittableRandom(seed);
      Rows rows = rows(rowsOfEach, _ -> random.nextInt(2));
      BinnedRows binned = BinnedRows.of(rows, List.of(KIND), 255);
      double[] sums = new double[binned.bins(0) + 1];
      int[] counts = new int[binned.bins(0) + 1];
      for (int row = 0; row < rows.size(); row++) {
        sums[binned.column(0).bin(row)] += rows.label(row) - 0.5;
        counts[binned.column(0).bin(row)]++;
      }
      double chi = 0; // of as many degrees as there are groups, if labels know nothing of them
      int groups = 0;
      for (int bin = 0; bin < sums.length; bin++) {
        if (counts[bin] > 0) {
          chi += 4 * sums[bin] * sums[bin] / counts[bin];
          groups++;
        }
      }
      squares += chi / groups / seeds;
    }
    assertThat(squares).isLessThan(1.5);
  }

  @Test
  void of_classes_noGroupHasTwo() {
    int classes = 6;
    Rows rows = rows(12, code -> code % classes);
    BinnedRows binned =
        BinnedRows.of(
            rows,
            List.of(KIND),
            255,
            new Buffers(),
            null,
            () -> CategoryTargets.ofClasses(rows, classes));
    CategoryGroups groups = Objects.requireNonNull(binned.groups(0));
    int[] classOf = new int[groups.count()];
    Arrays.fill(classOf, -1);
    for (int code = 0; code < CATEGORIES; code++) {
      int group = groups.of(code);
      assertThat(classOf[group]).isIn(-1, code % classes);
      classOf[group] = code % classes;
    }
  }

  @Test
  void of_weights_asRowsThatOften() {
    var random = new SplittableRandom(5);
    Rows.Builder weighted = Rows.builder(1);
    for (int row = 0; row < 8 * CATEGORIES; row++) {
      double label = random.nextDouble() + row % CATEGORIES % 3;
      weighted.add(new double[] {row % CATEGORIES}, label, 2.0, "all");
    }
    var again = new SplittableRandom(5);
    Rows plain = rows(8, code -> again.nextDouble() + code % 3);
    assertThat(BinnedRows.of(weighted.build(), List.of(KIND), 60).groups(0))
        .isEqualTo(BinnedRows.of(plain, List.of(KIND), 60).groups(0));
  }

  private static Rows rows(int ofEach, DoubleUnaryOperator label) {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < ofEach * CATEGORIES; row++) {
      int code = row % CATEGORIES;
      rows.add(new double[] {code}, label.applyAsDouble(code), "all");
    }
    return rows.build();
  }
}
