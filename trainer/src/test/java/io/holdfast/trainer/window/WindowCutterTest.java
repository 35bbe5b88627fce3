package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.settings.ModelSettings;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WindowCutterTest {
  private static final Refusal REFUSAL = Refusal.badLabel(2, "0 or 1");

  @Test
  void window_closesAtItsRows_onceItsEnvironmentsAreThere() {
    var cutter = new WindowCutter(new ModelSettings.Window(2, 2, 10, 0));
    cutter.add(RowsOfLog.row(0, 0, 1, "a"));
    cutter.add(RowsOfLog.row(0, 1, 2, "a"));
    cutter.add(RowsOfLog.row(0, 2, 3, "a"));
    assertThat(cutter.complete()).isFalse();

    cutter.add(RowsOfLog.row(0, 3, 4, "b"));
    assertThat(cutter.complete()).isTrue();
    assertThat(cutter.window().rows()).hasSize(4);
  }

  @Test
  void window_withTooFewEnvironments_closesAtMaxRows() {
    var cutter = new WindowCutter(new ModelSettings.Window(2, 2, 3, 0));
    for (int offset = 0; offset < 3; offset++) {
      assertThat(cutter.complete()).isFalse();
      cutter.add(RowsOfLog.row(0, offset, 1, "a"));
    }
    assertThat(cutter.complete()).isTrue();
  }

  @Test
  void window_ofUnusableExamplesOnly_closesAtMaxRows() {
    var cutter = new WindowCutter(new ModelSettings.Window(2, 1, 3, 0));
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
    var cutter = new WindowCutter(new ModelSettings.Window(2, 1, 10, 0));
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
    var cutter = new WindowCutter(new ModelSettings.Window(2, 1, 10, 0));
    cutter.aim(2, 5, 0.7);
    for (int offset = 0; offset < 5; offset++) {
      assertThat(cutter.complete()).isFalse();
      cutter.add(RowsOfLog.row(0, offset, offset), 0);
    }
    assertThat(cutter.complete()).isTrue();
  }

  @Test
  void cuts_followEachOther_withoutGapInEveryPartition() {
    var cutter = new WindowCutter(new ModelSettings.Window(2, 1, 4, 0));
    cutter.resume(7, new TreeMap<>(Map.of(0, 100L)));
    cutter.refuse(new Position(0, 103, 1), REFUSAL); // 100 to 102 may be transaction markers
    cutter.add(RowsOfLog.row(1, 40, 1));
    cutter.add(RowsOfLog.row(0, 104, 2));
    Window first = cutter.window();
    cutter.next();
    cutter.add(RowsOfLog.row(0, 106, 3));
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
  void offset_goingBack_isABug() {
    var cutter = new WindowCutter(new ModelSettings.Window(2, 1, 4, 0));
    cutter.add(RowsOfLog.row(0, 5, 1));

    assertThatThrownBy(() -> cutter.add(RowsOfLog.row(0, 5, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partition 0, offset 5");
  }
}
