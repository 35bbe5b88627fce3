package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.trainer.ExampleStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowPriorityTest {
  private static final RowPriority PRIORITY =
      RowPriority.of(ExampleStream.settings(Map.of()), "replay");

  @Test
  void number_dependsOnPlaceSeedAndPurpose_andNotOnTime() {
    long number = PRIORITY.of(new Position(2, 7, 1));

    assertThat(PRIORITY.of(new Position(2, 7, 99))).isEqualTo(number);
    assertThat(PRIORITY.of(new Position(7, 2, 1))).isNotEqualTo(number);
    for (RowPriority other :
        new RowPriority[] {
          RowPriority.of(ExampleStream.settings(Map.of("seed", "2")), "replay"),
          RowPriority.of(ExampleStream.settings(Map.of()), "heldOut")
        }) {
      assertThat(other.of(new Position(2, 7, 1))).isNotEqualTo(number);
    }
  }

  @Test
  void share_ofPlaces_isTheShareAskedFor() {
    int within = 0;
    for (int offset = 0; offset < 10_000; offset++) {
      within += PRIORITY.within(0.2, new Position(offset % 3, offset, 0)) ? 1 : 0;
    }
    assertThat(within / 10_000.0).isCloseTo(0.2, within(0.02));
    assertThat(PRIORITY.within(0, new Position(0, 0, 0))).isFalse();
    assertThat(PRIORITY.within(1, new Position(0, 0, 0))).isTrue();
  }
}
