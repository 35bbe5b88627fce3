package io.holdfast.service.score;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.service.Bikes;
import io.holdfast.service.model.ActiveModel;
import org.junit.jupiter.api.Test;

final class PolledScoresTest {
  private final ActiveModel first = Bikes.active(1, Bikes.settings(), 0, 0);
  private final ActiveModel second = Bikes.active(2, Bikes.settings(), 0, 0);
  private final PolledScores scores = new PolledScores(2);
  private final double[] target = new double[2];

  @Test
  void scores_comeBackByOffset_once() {
    keep(0, 1_000, first);

    for (long offset = 0; offset < 1_000; offset++) {
      assertThat(scores.take(offset, first, target)).as("offset %s", offset).isTrue();
      assertThat(target).containsExactly(offset, -offset);
    }
    assertThat(scores.take(999, first, target)).isFalse();
    assertThat(scores.take(1_000, first, target)).isFalse();
  }

  @Test
  void ring_wrapsAroundAndGrows_withoutMixingUp() {
    long taken = 0;
    long kept = 0;
    for (int poll = 1; poll < 60; poll++) {
      keep(kept, kept + poll, first);
      kept += poll;
      for (int i = 0; i < poll - 1; i++) {
        assertThat(scores.take(taken, first, target)).isTrue();
        assertThat(target).containsExactly(taken, -taken);
        taken++;
      }
    }
    assertThat(taken).isLessThan(kept);
  }

  @Test
  void offsetsThatWereNotKept_areMissed_andThoseAfterThemFound() {
    keep(10, 12, first);
    keep(14, 16, first);

    assertThat(scores.take(10, first, target)).isTrue();
    // 11 is passed over, 12 and 13 were never kept: the markers of a transaction, or malformed.
    assertThat(scores.take(14, first, target)).isTrue();
    assertThat(target).containsExactly(14, -14);
  }

  @Test
  void recordThatCouldNotBeDecoded_isMissed_andNothingElseIsLost() {
    keep(0, 3, first);
    keep(4, 6, first);

    assertThat(scores.take(2, first, target)).isTrue();
    assertThat(scores.take(3, first, target)).isFalse();
    assertThat(scores.take(4, first, target)).isTrue();
    assertThat(scores.take(5, first, target)).isTrue();
  }

  @Test
  void anotherVersion_isMissed() {
    keep(0, 2, first);

    assertThat(scores.take(0, second, target)).isFalse();
    assertThat(scores.take(1, first, target)).isTrue();
  }

  @Test
  void offsetsThatComeAgain_replaceWhatWasKept() {
    keep(100, 200, first);
    keep(50, 60, second);

    assertThat(scores.take(50, second, target)).isTrue();
    assertThat(target).containsExactly(50, -50);
    assertThat(scores.take(100, first, target)).isFalse();
  }

  @Test
  void moreThanMayWait_isNotKept() {
    keep(0, 10_000, first);

    assertThat(scores.take(4_095, first, target)).isTrue();
    assertThat(scores.take(4_096, first, target)).isFalse();
    keep(4_097, 4_098, first);
    assertThat(scores.take(4_097, first, target)).isTrue();
  }

  private void keep(long from, long to, ActiveModel model) {
    for (long offset = from; offset < to; offset++) {
      // Row 1 of a block of 3, so that a mistake in its layout shows.
      scores.add(offset, model, new double[] {7, offset, 7, 7, -offset, 7}, 1, 3);
    }
  }
}
