package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Windows in a row, compared with the reference or with the buffer of the last rows. */
class SlowDriftTest {
  private static final int FEATURES = 10;
  private static final int WINDOW = 200;
  private static final int WINDOWS = 100;

  /** Each window is much like the rows that are remembered before it. */
  @Test
  void driftSlowerThanTheBuffer_isFoundByTheReference_andNotByTheBuffer() {
    IntToDoubleFunction drift = row -> row * 2.0 / (WINDOWS * WINDOW);
    List<Boolean> byReference = alarms(11, drift, true);
    List<Boolean> byBuffer = alarms(11, drift, false);
    assertThat(byReference.stream().filter(alarm -> alarm).count()).isGreaterThanOrEqualTo(15);
    assertThat(byReference.indexOf(true)).isBetween(10, 60);
    assertThat(byBuffer.stream().filter(alarm -> alarm).count()).isLessThanOrEqualTo(2);
  }

  @Test
  void stationaryRows_raiseNoMoreAlarmsThanAllowed_windowAfterWindow() {
    long alarms = 0;
    for (int seed = 0; seed < 4; seed++) {
      alarms += alarms(seed, row -> 0, true).stream().filter(alarm -> alarm).count();
    }
    assertThat(alarms).isLessThanOrEqualTo(8); // of 400 windows, 4 of 200
  }

  private static List<Boolean> alarms(long seed, IntToDoubleFunction drift, boolean keep) {
    var random = new SplittableRandom(seed);
    var windows = new WindowsInARow(FEATURES, keep);
    List<Boolean> alarms = new ArrayList<>();
    for (int window = 0; window < WINDOWS; window++) {
      int begin = window * WINDOW;
      alarms.add(
          windows.next(
              WINDOW,
              (row, column) ->
                  random.nextGaussian() + (column == 0 ? drift.applyAsDouble(begin + row) : 0)));
    }
    return alarms;
  }
}
