package io.holdfast.boosting.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What counts as far beyond the labels that have come. */
class LabelRangeTest {
  private static final int FEWEST = 100;

  private final LabelRange range = new LabelRange(FEWEST);

  @Test
  void predictions_furtherAwayThanTheRangeIsWide_areFarBeyond() {
    arrive(FEWEST, 10, 20);
    assertThat(range.farBeyond(0)).isFalse();
    assertThat(range.farBeyond(30)).isFalse();
    assertThat(range.farBeyond(-0.1)).isTrue();
    assertThat(range.farBeyond(30.1)).isTrue();
    assertThat(range.farBeyond(Double.NaN)).isTrue();
  }

  @Test
  void fewLabels_orEqualOnes_sayNothing() {
    assertThat(range.farBeyond(1e9)).isFalse();
    arrive(FEWEST - 1, 10, 20);
    assertThat(range.farBeyond(1e9)).isFalse();
    LabelRange equal = new LabelRange(FEWEST);
    for (int label = 0; label < FEWEST; label++) {
      equal.arrive(5);
    }
    assertThat(equal.farBeyond(1e9)).isFalse();
  }

  private void arrive(int labels, double least, double greatest) {
    for (int label = 0; label < labels; label++) {
      range.arrive(label % 2 == 0 ? least : greatest);
    }
  }
}
