package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.settings.ModelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WindowCutterTest {
  private static final Refusal REFUSAL = new Refusal("BAD_LABEL", "labels must be 0 or 1: 2");

  @Test
  void window_closesAtItsRows_onceItsEnvironmentsAreThere() {
    var cutter = new WindowCutter(closing(2, 2, 10));
    cutter.add(RowsOfLog.row(0, 0, 1, "a"), 0);
    cutter.add(RowsOfLog.row(0, 1, 2, "a"), 0);
    cutter.add(RowsOfLog.row(0, 2, 3, "a"), 0);
    assertThat(cutter.complete()).isFalse();

    cutter.add(RowsOfLog.row(0, 3, 4, "b"), 0);
    assertThat(cutter.complete()).isTrue();
    assertThat(cutter.window().rows()).hasSize(4);
  }

  @Test
  void window_withTooFewEnvironments_closesAtMaxRows() {
    var cutter = new WindowCutter(closing(2, 2, 3));
    for (int offset = 0; offset < 3; offset++) {
      assertThat(cutter.complete()).isFalse();
      cutter.add(RowsOfLog.row(0, offset, 1, "a"), 0);
    }
    assertThat(cutter.complete()).isTrue();
  }

  @Test
  void window_ofUnusableExamplesOnly_closesAtMaxRows() {
    var cutter = new WindowCutter(closing(2, 1, 3));
    for (int offset = 0; offset < 3; offset++) {
      assertThat(cutter.complete()).isFalse();
      cutter.refuse(new Position(0, offset, 1), REFUSAL);
    }
    assertThat(cutter.complete()).isTrue();
    assertThat(cutter.window().rows()).isEmpty();
    assertThat(cutter.window().unusable()).isEqualTo(Map.of("BAD_LABEL", 3L));
  }

  @Test
  void window_thatNeedsLosses_closesOnceRowsLostThem() {
    var cutter = new WindowCutter(closing(2, 1, 10));
    cutter.aim(2, 5, 0.7);
    cutter.add(RowsOfLog.row(0, 0, 1), 0.8);
    assertThat(cutter.complete()).isFalse(); // too few rows
    cutter.add(RowsOfLog.row(0, 1, 2), 0);
    assertThat(cutter.complete()).isTrue();

    cutter.next();
    cutter.add(RowsOfLog.row(0, 2, 3), 0.3);
    cutter.add(RowsOfLog.row(0, 3, 4), 0.3);
    assertThat(cutter.complete()).isFalse(); // what the last window lost does not count
    cutter.add(RowsOfLog.row(0, 4, 5), 0.2);
    assertThat(cutter.complete()).isTrue();
  }

  @Test
  void window_whoseRowsLoseNothing_closesAtTheMost() {
    var cutter = new WindowCutter(closing(2, 1, 10));
    cutter.aim(2, 5, 0.7);
    for (int offset = 0; offset < 5; offset++) {
      assertThat(cutter.complete()).isFalse();
      cutter.add(RowsOfLog.row(0, offset, offset), 0);
    }
    assertThat(cutter.complete()).isTrue();
  }

  @Test
  void cuts_followEachOther_withoutGapInEveryPartition() {
    var cutter = new WindowCutter(closing(2, 1, 4));
    cutter.resume(7, RateLimit.NO_TIME, new TreeMap<>(Map.of(0, 100L)));
    cutter.refuse(new Position(0, 103, 1), REFUSAL); // 100 to 102 may be transaction markers
    cutter.add(RowsOfLog.row(1, 40, 1), 0);
    cutter.add(RowsOfLog.row(0, 104, 2), 0);
    Window first = cutter.window();
    cutter.next();
    cutter.add(RowsOfLog.row(0, 106, 3), 0);
    Window second = cutter.window();

    assertThat(first.number()).isEqualTo(8);
    assertThat(first.cuts())
        .isEqualTo(Map.of(0, new Window.Cut(100, 105), 1, new Window.Cut(40, 41)));
    assertThat(second.number()).isEqualTo(9);
    assertThat(second.cuts())
        .isEqualTo(Map.of(0, new Window.Cut(105, 107), 1, new Window.Cut(41, 41)));
    assertThat(second.unusable()).isEmpty();
  }

  @Test
  void windows_endAnIntervalApart_byTheTimesOfTheirExamples() {
    assertThat(ends(20, 2, 0, 5, 10, 15, 20, 25, 30, 35, 40)).containsExactly(2, 6);
    assertThat(ends(0, 2, 0, 5, 10, 15, 20, 25, 30)).containsExactly(2, 4, 6);
    // Slow labels are not held back.
    assertThat(ends(20, 1, 0, 100, 200, 300)).containsExactly(1, 2, 3, 4);
  }

  /** What came in a burst does not wait for the next one. */
  @Test
  void window_beforeAQuietTime_endsThere() {
    assertThat(ends(20, 1, 0, 1, 2, 3, 900, 901, 902, 1_800)).containsExactly(1, 4, 5, 7, 8);
  }

  @Test
  void window_heldBack_endsOnceItIsAsLargeAsMemory() {
    long[] times = new long[40]; // all at once
    assertThat(ends(20, 2, times)).containsExactly(2, 14, 26, 38);
  }

  /** A clock that was wrong once, or is set back, holds nothing back for long. */
  @Test
  void window_afterAWrongTime_endsAnIntervalLater() {
    long hour = 3_600_000;
    assertThat(ends(20, 1, hour, 10, 20, 30, 40)).containsExactly(1, 2, 4);
    assertThat(ends(20, 1, 0, 10, hour, 20, 30, 40)).containsExactly(1, 2, 3, 4, 6);
    assertThat(ends(20, 1, 100, 95, 105, 99, 110, 121)).containsExactly(1, 6); // out of order
  }

  @Test
  void cutter_resumed_endsWindowsWhereItWouldHave() {
    List<Integer> undisturbed = ends(20, 2, 0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50);
    var cutter = new WindowCutter(limits(20, 2));
    List<Integer> first = ends(cutter, 0, 0, 5);
    var resumed = new WindowCutter(limits(20, 2));
    resumed.resume(1, cutter.time(), new TreeMap<>(Map.of(0, 2L)));
    List<Integer> then = ends(resumed, 2, 10, 15, 20, 25, 30, 35, 40, 45, 50);
    assertThat(Stream.of(first, then).flatMap(List::stream).toList()).isEqualTo(undisturbed);
  }

  private static ModelSettings.Window closing(int rows, int environments, int maxRows) {
    return new ModelSettings.Window(
        rows, environments, maxRows, 0, 50, Duration.ZERO, Duration.ofSeconds(2));
  }

  private static ModelSettings.Window limits(int interval, int rows) {
    return new ModelSettings.Window(
        rows, 1, 4 * rows, 12, 50, Duration.ofMillis(interval), Duration.ZERO);
  }

  private static List<Integer> ends(int interval, int rows, long... times) {
    return ends(new WindowCutter(limits(interval, rows)), 0, times);
  }

  /** After how many rows of these times windows end. */
  private static List<Integer> ends(WindowCutter cutter, int before, long... times) {
    List<Integer> ends = new ArrayList<>();
    for (int k = 0; k < times.length; k++) {
      int row = before + k;
      if (cutter.completeBefore(times[k])) {
        ends.add(row);
        cutter.next();
      }
      cutter.at(times[k]);
      cutter.add(RowsOfLog.row(0, row, 1), 0);
      if (cutter.complete()) {
        ends.add(row + 1);
        cutter.next();
      }
    }
    return ends;
  }

  @Test
  void offset_goingBack_isABug() {
    var cutter = new WindowCutter(closing(2, 1, 4));
    cutter.add(RowsOfLog.row(0, 5, 1), 0);

    assertThatThrownBy(() -> cutter.add(RowsOfLog.row(0, 5, 1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partition 0, offset 5");
  }
}
