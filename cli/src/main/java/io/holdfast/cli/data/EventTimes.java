package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.EpochUnit;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unit of the times of a file's rows, and their order: {@code late} rows are before the row
 * above, the first at {@code firstLate}, of {@code moves} rows whose time is another. Immutable.
 */
public record EventTimes(EpochUnit unit, long late, long moves, String firstLate) {
  private static final double MOST_LATE = 0.1;

  /** Reads a file's times; a null unit is told by the size of numbers. */
  public static EventTimes of(DataFile file, String field, @Nullable EpochUnit given) {
    FieldDecoder decoder;
    boolean dated;
    try {
      dated = FieldDecoder.isTime(file.schema(), field);
      decoder = FieldDecoder.compile(file.schema(), List.of(field));
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
    String column = ColumnName.of(field);
    EpochUnit unit = dated ? EpochUnit.MILLIS : given;
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
    return new EventTimes(unit == null ? EpochUnit.MILLIS : unit, late, moves, firstLate);
  }

  /** A row's time in the units of the file; NaN if it has none. */
  private static double time(FieldDecoder decoder, byte[] body, String column, RowCursor at) {
    Object value = at.fields(decoder, body)[0];
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

  /** The unit that a number's size tells, which must be that of the rows before. */
  private static EpochUnit unit(
      double time, @Nullable EpochUnit before, String column, RowCursor at) {
    EpochUnit unit = EpochUnit.of(time);
    if (unit == null) {
      throw new DataException(
          "%s: column %s has %s, which is no time of today in seconds, millis, micros or nanos"
              + " since 1970: say which it is with --time-unit, or write dates",
          at.place(), column, shown(time));
    }
    if (before != null && before != unit) {
      throw new DataException(
          "%s: column %s has %s, a time in %s, and has times in %s above: write all in one unit, or"
              + " say which it is with --time-unit",
          at.place(), column, shown(time), unit.label(), before.label());
    }
    return unit;
  }

  private static String shown(double time) {
    return time == Math.rint(time) && Math.abs(time) < 1e18
        ? String.valueOf((long) time)
        : String.valueOf(time);
  }

  public double millis(double time) {
    return unit.millis(time);
  }

  public boolean unsorted() {
    return late > MOST_LATE * moves;
  }

  public boolean newestFirst() {
    return late > 0.9 * moves;
  }
}
