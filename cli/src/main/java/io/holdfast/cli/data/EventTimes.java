package io.holdfast.cli.data;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The times of a file's rows: what unit they are in, and how often one is before that of the row
 * above it. Immutable.
 *
 * @param late such rows
 * @param moves rows whose time is another than that of the row above
 * @param firstLate where the first of them is; empty if there is none
 */
public record EventTimes(TimeUnit unit, long late, long moves, String firstLate) {
  /** Numbers below are no times since 1970 in any unit, or times of the seventies. */
  private static final double LEAST = 1e8;

  /** From one unit to the next, numbers of the same time are so many times as large. */
  private static final double STEP = 1e3;

  private static final List<TimeUnit> UNITS =
      List.of(TimeUnit.SECONDS, TimeUnit.MILLISECONDS, TimeUnit.MICROSECONDS, TimeUnit.NANOSECONDS);

  /** Rows may be late; more than this share of them are out of order. */
  private static final double MOST_LATE = 0.1;

  /**
   * Reads a file's times.
   *
   * @param field the field of the time
   * @param given the unit of its numbers; null if they are to say
   * @throws DataException if a row cannot be read or the unit cannot be told
   */
  public static EventTimes of(DataFile file, String field, @Nullable TimeUnit given) {
    FieldDecoder decoder;
    boolean dated;
    try {
      dated = FieldDecoder.isTime(file.schema(), field);
      decoder = FieldDecoder.compile(file.schema(), List.of(field));
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.path(), e.getMessage());
    }
    String column = ColumnName.of(field);
    TimeUnit unit = dated ? TimeUnit.MILLISECONDS : given;
    double last = Double.NaN;
    long late = 0;
    long moves = 0;
    String firstLate = "";
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        double time = time(decoder, body, column, cursor);
        if (Double.isNaN(time)) {
          continue;
        }
        if (!dated && given == null && time != 0) {
          unit = unit(time, unit, column, cursor);
        }
        if (time < last) {
          firstLate = late++ == 0 ? cursor.place() : firstLate;
        }
        moves += time != last && !Double.isNaN(last) ? 1 : 0;
        last = time;
      }
    }
    return new EventTimes(unit == null ? TimeUnit.MILLISECONDS : unit, late, moves, firstLate);
  }

  /** A row's time in the units of the file; NaN if it has none. */
  private static double time(FieldDecoder decoder, byte[] body, String column, RowCursor at) {
    Object value;
    try {
      value = decoder.decode(body, 0)[0];
    } catch (MalformedRecordException e) {
      throw new DataException("%s cannot be decoded: %s", at.place(), e.getMessage());
    }
    try {
      return switch (value) {
        case null -> Double.NaN;
        case Number number -> number.doubleValue();
        default -> Double.parseDouble(value.toString());
      };
    } catch (NumberFormatException e) {
      throw new DataException(
          "%s: times must be numbers or ISO 8601 dates and times, and column %s has %s",
          at.place(), column, value);
    }
  }

  /** The unit in which a number is a time between 1973 and 5138, the one of the rows before. */
  private static TimeUnit unit(
      double time, @Nullable TimeUnit before, String column, RowCursor at) {
    double least = LEAST;
    for (TimeUnit unit : UNITS) {
      if (time >= least && time < least * STEP) {
        if (before != null && before != unit) {
          throw new DataException(
              "%s: column %s has %s, a time in %s, and has times in %s above: write all in one"
                  + " unit, or say which it is with --time-unit",
              at.place(), column, shown(time), name(unit), name(before));
        }
        return unit;
      }
      least *= STEP;
    }
    throw new DataException(
        "%s: column %s has %s, which is no time of today in seconds, millis, micros or nanos since"
            + " 1970: say which it is with --time-unit, or write dates",
        at.place(), column, shown(time));
  }

  private static String shown(double time) {
    return time == Math.rint(time) && Math.abs(time) < 1e18
        ? String.valueOf((long) time)
        : String.valueOf(time);
  }

  private static String name(TimeUnit unit) {
    return switch (unit) {
      case MILLISECONDS -> "millis";
      case MICROSECONDS -> "micros";
      case NANOSECONDS -> "nanos";
      default -> unit.name().toLowerCase(Locale.ROOT);
    };
  }

  /** Milliseconds since 1970. */
  public double millis(double time) {
    return switch (unit) {
      case SECONDS -> time * 1e3;
      case MICROSECONDS -> time / 1e3;
      case NANOSECONDS -> time / 1e6;
      default -> time;
    };
  }

  /** Whether rows are in another order than that of time. */
  public boolean unsorted() {
    return late > MOST_LATE * moves;
  }

  /** Whether the newest row comes first. */
  public boolean newestFirst() {
    return late > 0.9 * moves;
  }
}
