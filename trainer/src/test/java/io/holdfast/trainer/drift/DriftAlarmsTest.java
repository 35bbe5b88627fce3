package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How often nothing raises an alarm, and how soon a shift does. */
class DriftAlarmsTest {
  private static final int FEATURES = 5;
  private static final int ROWS = 192;
  private static final double FALSE_ALARMS = 0.01;
  private static final int QUIET = 15;
  private static final int AFTER = 15;

  /** Distributions of a feature. */
  enum Law {
    NORMAL,
    COIN,
    ROUNDED,
    SKEWED;

    double draw(SplittableRandom random) {
      return switch (this) {
        case NORMAL -> random.nextGaussian();
        case COIN -> random.nextDouble() < 0.3 ? 1 : 0;
        case ROUNDED -> Math.rint(3 * random.nextGaussian());
        case SKEWED -> Math.exp(2 * random.nextGaussian());
      };
    }
  }

  /** Ways to shift one feature; by how much is told in deviations or shares. */
  enum Shift {
    MEAN,
    SCALE,
    MISSING,
    GRADUAL
  }

  /** Of 1,000 streams of 15 looks each. No more than one look in a hundred may raise an alarm. */
  @ParameterizedTest
  @EnumSource
  void quietStreams_raiseAlarmsNoMoreOftenThanAllowed(Law law) {
    int streams = 1_000 / Law.values().length;
    int alarms = 0;
    for (int seed = 0; seed < streams; seed++) {
      SplittableRandom random =
          new SplittableRandom(31L * seed + List.of(Law.values()).indexOf(law));
      WindowsInARow windows = windows(1 + seed % 2);
      for (int look = 0; look <= QUIET; look++) {
        alarms += windows.next(ROWS, (row, column) -> law.draw(random)) ? 1 : 0;
      }
    }
    assertThat(alarms / (double) (streams * QUIET)).isLessThan(FALSE_ALARMS);
  }

  /** Mean looks until a shift is found, of those without an alarm before. */
  @ParameterizedTest
  @CsvSource({
    "MEAN, 0.3, 1, 2.47",
    "MEAN, 0.5, 1, 1",
    "MEAN, 0.7, 4, 1.9",
    "MEAN, 1, 4, 1.05",
    "SCALE, 1.5, 1, 1.37",
    "SCALE, 2, 4, 1.85",
    "MISSING, 0.1, 1, 1",
    "MISSING, 0.3, 4, 1",
    "GRADUAL, 1, 1, 5.26",
    "GRADUAL, 2, 4, 5.45"
  })
  void shift_isFoundAfterSoManyLooks(Shift shift, double by, int environments, double looks) {
    assertThat(delay(shift, by, environments)).isCloseTo(looks, within(0.005));
  }

  @Test
  void alarms_areAFunctionOfTheRows() {
    assertThat(delay(Shift.MEAN, 0.3, 4)).isEqualTo(delay(Shift.MEAN, 0.3, 4));
  }

  private static double delay(Shift shift, double by, int environments) {
    double looks = 0;
    int streams = 0;
    for (int seed = 0; seed < 20; seed++) {
      int found = found(new SplittableRandom(seed), shift, by, environments);
      if (found > 0) {
        looks += found;
        streams++;
      }
    }
    return looks / streams;
  }

  /** After how many looks; 0 if there was an alarm before. */
  private static int found(SplittableRandom random, Shift shift, double by, int environments) {
    WindowsInARow windows = windows(environments);
    for (int look = 0; look < QUIET; look++) {
      if (windows.next(ROWS, (row, column) -> random.nextGaussian())) {
        return 0;
      }
    }
    for (int look = 1; look <= AFTER; look++) {
      double rise = Math.min(1, look / (double) AFTER);
      boolean alarm =
          windows.next(
              ROWS,
              (row, column) -> {
                double value = random.nextGaussian();
                return column > 0 || row % environments > 0
                    ? value
                    : switch (shift) {
                      case MEAN -> value + by;
                      case SCALE -> value * by;
                      case MISSING -> random.nextDouble() < by ? Double.NaN : value;
                      case GRADUAL -> value + by * rise;
                    };
              });
      if (alarm) {
        return look;
      }
    }
    return AFTER;
  }

  private static WindowsInARow windows(int environments) {
    return new WindowsInARow(FEATURES, environments, true, FALSE_ALARMS);
  }
}
