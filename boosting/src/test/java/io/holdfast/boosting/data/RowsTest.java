package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
