package io.holdfast.schemas;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The unit of numbers that count from the beginning of 1970, as their size tells it. */
public enum EpochUnit {
  SECONDS(1_000, 1),
  MILLIS(1, 1),
  MICROS(1, 1_000),
  NANOS(1, 1_000_000);

  private static final EpochUnit[] ALL = values();

  /** Numbers below are no times since 1970 in any unit, or times of the seventies. */
  private static final double LEAST = 1e8;

  /** From one unit to the next, numbers of the same time are so many times as large. */
  private static final double STEP = 1e3;

  private final int times; // to be milliseconds
  private final int parts;

  EpochUnit(int times, int parts) {
    this.times = times;
    this.parts = parts;
  }

  /** The unit in which a number is a time between 1973 and 5138; null if there is none. */
  public static @Nullable EpochUnit of(double number) {
    double least = LEAST;
    for (EpochUnit unit : ALL) {
      if (number >= least && number < least * STEP) {
        return unit;
      }
      least *= STEP;
    }
    return null;
  }

  /**
   * A message's timestamp in milliseconds. One that is too large for them is in micros or nanos. A
   * small one stays as it is: it may be of 1970, as a replay's, as well as in seconds.
   */
  public static long millisOfMessage(long timestamp) {
    EpochUnit unit = of((double) timestamp);
    return unit == null ? timestamp : timestamp / unit.parts;
  }

  /** A number in this unit in milliseconds. */
  public double millis(double number) {
    return number * times / parts;
  }

  /** The name in flags and messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
