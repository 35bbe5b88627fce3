package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowsTest {
  @Test
  void subset_keepsAllOfTheChosenRows_andNumbersTheirEnvironmentsAnew() {
    Rows rows =
        Rows.builder(2, 1)
            .add(new double[] {1, Double.NaN}, 10, 0.5, "north", new double[] {7})
            .add(new double[] {2, 20}, 11, 1.5, "south", new double[] {8})
            .add(new double[] {3, 30}, 12, 2.5, "west", new double[] {9})
            .build();

    Rows subset = rows.subset(new int[] {2, 0, 2});

    assertThat(subset.size()).isEqualTo(3);
    assertThat(subset.environments()).containsExactly("west", "north");
    assertThat(subset.environment(0)).isZero();
    assertThat(subset.environment(1)).isEqualTo(1);
    assertThat(subset.feature(0, 1)).isEqualTo(30);
    assertThat(subset.feature(1, 1)).isNaN();
    assertThat(subset.label(1)).isEqualTo(10);
    assertThat(subset.weight(2)).isEqualTo(2.5);
    assertThat(subset.anchor(1, 0)).isEqualTo(7);
  }

  @Test
  void subset_ofNoRows_isEmpty() {
    Rows rows = Rows.builder(1).add(new double[] {1}, 2, "north").build();

    assertThat(rows.subset(new int[0]).size()).isZero();
    assertThat(rows.subset(new int[0]).environments()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 32, 100})
  void build_thenMoreRows_leavesWhatWasBuilt(int size) {
    for (int expected : new int[] {0, size, size + 1, 200}) {
      Rows.Builder builder = Rows.builder(2, 1);
      if (expected > 0) {
        builder.expecting(expected);
      }
      for (int row = 0; row < size; row++) {
        add(builder, row);
      }
      Rows built = builder.build();
      for (int row = size; row < size + 20; row++) {
        add(builder, row);
      }
      Rows longer = builder.build();
      assertThat(built.size()).isEqualTo(size);
      assertThat(longer.size()).isEqualTo(size + 20);
      for (int row = 0; row < size + 20; row++) {
        check(longer, row);
        if (row < size) {
          check(built, row);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 100})
  void addRows_ofAnotherBuilder_asIfOneByOne(int size) {
    Rows.Builder other = Rows.builder(2, 1);
    for (int row = 0; row < 200; row++) {
      add(other, row);
    }
    Rows.Builder builder = Rows.builder(2, 1);
    for (int row = 0; row < size; row++) {
      add(builder, row);
    }
    Rows built = builder.build();
    builder.addRows(other, size, 0).addRows(other, size, 1).addRows(other, size + 1, 90);
    Rows longer = builder.build();
    Rows.Builder oneByOne = Rows.builder(2, 1);
    for (int row = 0; row < size + 91; row++) {
      add(oneByOne, row);
      check(longer, row);
      if (row < size) {
        check(built, row);
      }
    }
    assertThat(longer.size()).isEqualTo(size + 91);
    assertThat(longer.environments()).isEqualTo(oneByOne.build().environments());
    assertThat(longer.unitWeights()).isEqualTo(oneByOne.build().unitWeights());
  }

  @Test
  void addRows_thatAreNotThere_orDoNotFit_isRefused() {
    Rows.Builder other = Rows.builder(1).add(new double[] {1}, 2, Double.MAX_VALUE, "north");
    Rows.Builder builder = Rows.builder(1).addRows(other, 0, 1);

    assertThatIllegalArgumentException().isThrownBy(() -> builder.addRows(other, 0, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.addRows(other, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.addRows(other, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Rows.builder(2).addRows(other, 0, 1));
    assertThat(builder.size()).isEqualTo(1);
  }

  @Test
  void expecting_fewerThanThereAre_orMoreThanFit_isRefused() {
    Rows.Builder builder = Rows.builder(1000);
    builder.add(new double[1000], 0, "e").add(new double[1000], 0, "e");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.expecting(1))
        .withMessage("expected rows must be at least 2: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.expecting(3_000_000))
        .withMessage("rows of 1000 features and 0 anchors must be at most 2147483: 3000000");
  }

  private static void add(Rows.Builder builder, int row) {
    double[] values = {row, -row};
    builder.add(values, 2 * row, 1 + row, "e" + row % 3, new double[] {3 * row});
  }

  private static void check(Rows rows, int row) {
    assertThat(rows.feature(row, 0)).isEqualTo(row);
    assertThat(rows.feature(row, 1)).isEqualTo(0.0 - row);
    assertThat(rows.label(row)).isEqualTo(2 * row);
    assertThat(rows.weight(row)).isEqualTo(1 + row);
    assertThat(rows.environments().get(rows.environment(row))).isEqualTo("e" + row % 3);
    assertThat(rows.anchor(row, 0)).isEqualTo(3 * row);
  }
}
