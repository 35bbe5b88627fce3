package io.holdfast.service.score;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.wire.Framing;
import io.holdfast.service.Bikes;
import io.holdfast.service.model.ActiveModel;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class PolledScoresTest {
  private final Map<Long, Framing.Frame> frames = new HashMap<>();
  private final ActiveModel first = Bikes.active(1, Bikes.settings(), 0, 0);
  private final ActiveModel second = Bikes.active(2, Bikes.settings(), 0, 0);
  private final PolledScores scores = new PolledScores(2);
  private final double[] target = new double[2];
  private final Map<Long, byte[]> values = new HashMap<>();

  @Test
  void scores_comeBackByOffset_once() {
    keep(0, 1_000, first);

    for (long offset = 0; offset < 1_000; offset++) {
      assertThat(take(offset, first, target)).as("offset %s", offset).isTrue();
      assertThat(target).containsExactly((double) offset, (double) -offset);
    }
    assertThat(take(999, first, target)).isFalse();
    assertThat(take(1_000, first, target)).isFalse();
  }

  @Test
  void ring_wrapsAroundAndGrows_withoutMixingUp() {
    long taken = 0;
    long kept = 0;
    for (int poll = 1; poll < 60; poll++) {
      keep(kept, kept + poll, first);
      kept += poll;
      for (int i = 0; i < poll - 1; i++) {
        assertThat(take(taken, first, target)).isTrue();
        assertThat(target).containsExactly((double) taken, (double) -taken);
        assertThat(scores.frame()).isSameAs(frame(taken));
        taken++;
      }
    }
    assertThat(taken).isLessThan(kept);
  }

  @Test
  void offsetsThatWereNotKept_areMissed_andThoseAfterThemFound() {
    keep(10, 12, first);
    keep(14, 16, first);

    assertThat(take(10, first, target)).isTrue();
    // 11 is passed over, 12 and 13 were never kept: the markers of a transaction, or malformed.
    assertThat(take(14, first, target)).isTrue();
    assertThat(target).containsExactly(14, -14);
  }

  @Test
  void recordThatCouldNotBeDecoded_isMissed_andNothingElseIsLost() {
    keep(0, 3, first);
    keep(4, 6, first);

    assertThat(take(2, first, target)).isTrue();
    assertThat(take(3, first, target)).isFalse();
    assertThat(take(4, first, target)).isTrue();
    assertThat(take(5, first, target)).isTrue();
  }

  @Test
  void scoresOfSeveralVersions_comeWithTheirOwn() {
    keep(0, 2, first);
    keep(2, 4, second);

    assertThat(take(1, first, target)).isTrue();
    assertThat(take(2, second, target)).isTrue();
    assertThat(take(3, first, target)).as("not its version").isFalse();
  }

  @Test
  void offsetsThatComeAgain_replaceWhatWasKept() {
    keep(100, 200, first);
    keep(50, 60, second);

    assertThat(take(50, second, target)).isTrue();
    assertThat(target).containsExactly(50, -50);
    assertThat(take(100, first, target)).isFalse();
  }

  @Test
  void moreThanMayWait_isNotKept() {
    keep(0, 10_000, first);

    assertThat(take(4_095, first, target)).isTrue();
    assertThat(take(4_096, first, target)).isFalse();
    keep(4_097, 4_098, first);
    assertThat(take(4_097, first, target)).isTrue();
  }

  @Test
  void sameOffsetOfOtherBytes_isMissed() {
    keep(0, 3, first);

    assertThat(scores.take(0, new byte[8], target)).isNull();
    assertThat(take(1, first, target)).isTrue();
  }

  @Test
  void clear_forgetsEverything() {
    keep(0, 3, first);

    scores.clear();

    assertThat(take(0, first, target)).isFalse();
  }

  /** Whether there was a score, of that version. */
  private boolean take(long offset, ActiveModel model, double[] into) {
    return model.equals(scores.take(offset, values.getOrDefault(offset, new byte[0]), into));
  }

  private Framing.Frame frame(long offset) {
    Schema schema = Schema.create(Schema.Type.NULL);
    return frames.computeIfAbsent(offset, number -> new Framing.Frame(schema, 0));
  }

  private void keep(long from, long to, ActiveModel model) {
    for (long offset = from; offset < to; offset++) {
      // Row 1 of a block of 3, so that a mistake in its layout shows.
      byte[] value = values.computeIfAbsent(offset, number -> new byte[8]);
      double[] block = {7, offset, 7, 7, -offset, 7};
      double[] spreads = {0, 2.0 * offset, 0};
      scores.add(offset, value, frame(offset), new PolledScores.Block(model, block, spreads, 3), 1);
    }
  }
}
