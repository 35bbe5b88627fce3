package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.tree.Sampling.Draws;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrawsTest {
  @ParameterizedTest
  @CsvSource({
    "10, 1, 10",
    "10, 0.5, 5",
    "10, 0.26, 3",
    "10, 0.01, 1",
    "1, 0.1, 1",
    "0, 0.5, 0",
    "3, 0.99, 3"
  })
  void of_share_thatManyAscendingNumbers(int size, double share, int expected) {
    for (long seed = 0; seed < 50; seed++) {
      int[] chosen = Draws.of(seed, Draws.Purpose.ROWS, size, share);
      assertThat(chosen).hasSize(expected);
      for (int k = 0; k < chosen.length; k++) {
        assertThat(chosen[k]).isBetween(k == 0 ? 0 : chosen[k - 1] + 1, size - 1);
      }
      int[] rest = new int[size - chosen.length];
      assertThat(Draws.rest(chosen, chosen.length, size, rest)).isEqualTo(rest.length);
      assertThat(IntStream.concat(Arrays.stream(chosen), Arrays.stream(rest)).sorted())
          .containsExactlyElementsOf(IntStream.range(0, size).boxed().toList());
    }
  }

  @Test
  void of_manySeeds_everyNumberAsOften() {
    int[] times = new int[20];
    for (long seed = 0; seed < 4000; seed++) {
      for (int number : Draws.of(seed, Draws.Purpose.ROWS, times.length, 0.3)) {
        times[number]++;
      }
    }
    for (int count : times) {
      assertThat(count / 4000.0).isCloseTo(0.3, within(0.03)); // four standard deviations
    }
  }

  @Test
  void of_sameArguments_sameDraw() {
    int[] chosen = Draws.of(7, Draws.Purpose.ROWS, 1000, 0.5);
    assertThat(Draws.of(7, Draws.Purpose.ROWS, 1000, 0.5)).isEqualTo(chosen);
    assertThat(Draws.of(8, Draws.Purpose.ROWS, 1000, 0.5)).isNotEqualTo(chosen);
    assertThat(Draws.of(7, Draws.Purpose.COLUMNS, 1000, 0.5)).isNotEqualTo(chosen);
  }
}
