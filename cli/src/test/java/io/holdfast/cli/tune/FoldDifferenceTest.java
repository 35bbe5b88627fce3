package io.holdfast.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldDifferenceTest {
  @ParameterizedTest // of printed tables of Student's t
  @CsvSource({
    "1, 0.95, 12.706",
    "2, 0.95, 4.303",
    "3, 0.95, 3.182",
    "4, 0.95, 2.776",
    "9, 0.95, 2.262",
    "30, 0.95, 2.042",
    "4, 0.99, 4.604",
    "5, 0.99, 4.032",
    "120, 0.95, 1.980"
  })
  void quantile_isThatOfTables(int degrees, double share, double table) {
    assertThat(FoldDifference.quantile(degrees, share)).isCloseTo(table, within(5e-4));
  }

  /** Of equal settings whose folds differ by chance, how often does any of three seem better? */
  @Test
  void intervals_holdTogetherAsOftenAsTheySay() {
    var random = new SplittableRandom(1);
    int wrong = 0;
    int trials = 4_000;
    for (int trial = 0; trial < trials; trial++) {
      boolean any = false;
      for (int k = 0; k < 3; k++) {
        List<Double> folds = new ArrayList<>();
        for (int fold = 0; fold < 5; fold++) {
          folds.add(random.nextGaussian());
        }
        FoldDifference one = FoldDifference.of(folds, List.of(0.0, 0.0, 0.0, 0.0, 0.0), 3);
        any |= one.high() < 0 || one.low() > 0;
      }
      wrong += any ? 1 : 0;
    }
    assertThat((double) wrong / trials).isBetween(0.035, 0.055);
  }

  @Test
  void pairs_areComparedFoldByFold_andOneFoldTellsNothing() {
    FoldDifference far =
        FoldDifference.of(List.of(9.0, 99.0, 999.0), List.of(10.0, 100.1, 999.9), 1);
    assertThat(far.high()).isNegative();
    assertThat(far.mean()).isCloseTo(-1, within(1e-12));
    FoldDifference one = FoldDifference.of(List.of(1.0), List.of(2.0), 1);
    assertThat(one.low()).isInfinite();
    assertThat(one.high()).isInfinite();
    FoldDifference same = FoldDifference.of(List.of(1.0, 2.0), List.of(1.0, 2.0), 1);
    assertThat(same).isEqualTo(new FoldDifference(0, 0, 0));
  }
}
