package io.holdfast.cli.options;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.EventTimes;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.EpochUnit;
import io.holdfast.schemas.Sentence;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the times of a file's rows are written, and in which order they are. */
public final class TimeOptions {
  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      description =
          "The unit of numbers in --time, since 1970: seconds, millis, micros or nanos (default:"
              + " by their size).")
  private @Nullable String unit;

  @Option(
      names = "--unsorted",
      description = "Take the rows as they come, though --time goes backwards.")
  private boolean unsorted;

  /** The times of a file, oldest first; null if there is no field of them. */
  public @Nullable EventTimes of(DataFile file, @Nullable String field) {
    if (field == null) {
      if (unit != null || unsorted) {
        throw CommandException.usage(
            "%s needs --time, the column of the time", unit == null ? "--unsorted" : "--time-unit");
      }
      return null;
    }
    EventTimes times = EventTimes.of(file, field, unit());
    if (times.unsorted() && !unsorted) {
      throw CommandException.failed(
          "the rows of %s are %s by column %s: %,d of %,d are before the row above them (the first"
              + " is %s); sort them, oldest first, or take them as they come with --unsorted",
          file.name(),
          times.newestFirst() ? "newest first" : "in no order",
          ColumnName.of(field),
          times.late(),
          times.moves(),
          times.firstLate());
    }
    return times;
  }

  private @Nullable EpochUnit unit() {
    if (unit == null) {
      return null;
    }
    return Arrays.stream(EpochUnit.values())
        .filter(one -> one.label().equals(unit))
        .findFirst()
        .orElseThrow(
            () ->
                CommandException.usage(
                    "--time-unit must be seconds, millis, micros or nanos: %s", unit));
  }

  /** What should be known of the times: sentences. */
  public static List<String> notes(@Nullable EventTimes times) {
    return times == null || times.late() == 0
        ? List.of()
        : List.of(
            Sentence.of(
                "%,d rows are before the row above them by --time (the first is %s)",
                times.late(), times.firstLate()));
  }
}
