package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.version.Figures;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChangePointTest {
  private final ChangePoint change = new ChangePoint("auto.change.");
  private final SplittableRandom random = new SplittableRandom(5);
  private long row;

  /** Losses of two memories that are right so often. */
  private void feed(int rows, double ofShort, double ofLong) {
    for (int k = 0; k < rows; k++) {
      double luck = random.nextDouble();
      change.next(luck < ofShort ? 0.1 : 2, luck < ofLong ? 0.1 : 2, ++row);
    }
  }

  @Test
  void worldThatStays_hasNoChange() {
    feed(50_000, 0.86, 0.89);
    assertThat(change.last()).isZero();
  }

  @Test
  void change_isWhereTheShortMemoryBeganToLoseLess_notWhereItIsSeen() {
    feed(10_000, 0.86, 0.89);
    feed(100, 0.86, 0.7);
    assertThat(change.last()).isBetween(9_900L, 10_100L);
  }

  @Test
  void lossesThatAreNoNumbers_countAsLarge() {
    for (int k = 0; k < 1_000; k++) {
      change.next(Double.NaN, Double.POSITIVE_INFINITY, ++row);
    }
    assertThat(change.last()).isZero();
    for (int k = 0; k < 3; k++) {
      change.next(0, Double.NaN, ++row);
    }
    assertThat(change.last()).isEqualTo(1_000);
  }

  @Test
  void changeReadFromWhatItWrote_goesOnAlike() {
    feed(700, 0.86, 0.7);
    feed(20, 0.5, 0.4);
    Figures.Builder written = new Figures.Builder();
    change.exchange(StateFields.writing(written));
    Figures metrics = written.build();
    ChangePoint read = new ChangePoint("auto.change.");
    read.exchange(StateFields.reading(metrics));
    read.exchange(StateFields.writing(written));
    assertThat(written.build()).isEqualTo(metrics);
  }
}
