package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.version.Figures;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LossRiseTest {
  private final LossRise rise = new LossRise("auto.rise.");
  private final SplittableRandom random = new SplittableRandom(5);
  private long row;

  /** Losses as of an accuracy of about {@code right}; returns how often they rose. */
  private int feed(int rows, double right) {
    int risen = 0;
    for (int k = 0; k < rows; k++) {
      row++;
      risen += rise.next(random.nextDouble() < right ? 0.1 : 2, row) ? 1 : 0;
    }
    return risen;
  }

  @Test
  void losses_ofOneLaw_seldomRise() {
    assertThat(feed(20_000, 0.8)).isLessThan(5);
  }

  @Test
  void losses_afterADrift_riseWithinTwentyRows() {
    feed(1_000, 0.9);
    long before = row;
    assertThat(feed(20, 0.3)).isEqualTo(1);
    assertThat(rise.last()).isGreaterThan(before);
  }

  @Test
  void losses_thatAreNoNumbers_countAsLarge() {
    feed(1_000, 0.9);
    int risen = 0;
    for (int k = 0; k < 5; k++) {
      row++;
      risen += rise.next(Double.NaN, row) ? 1 : 0;
    }
    assertThat(risen).isEqualTo(1);
  }

  @Test
  void rise_readFromWhatItWrote_goesOnAlike() {
    feed(700, 0.8);
    Figures.Builder written = new Figures.Builder();
    rise.exchange(StateFields.writing(written));
    Figures metrics = written.build();
    LossRise read = new LossRise("auto.rise.");
    read.exchange(StateFields.reading(metrics));
    read.exchange(StateFields.writing(written));
    assertThat(written.build()).isEqualTo(metrics);
  }
}
