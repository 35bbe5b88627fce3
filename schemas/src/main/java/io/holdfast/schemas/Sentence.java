package io.holdfast.schemas;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Messages for users, formatted the same on every machine. Stateless. */
public final class Sentence {
  private Sentence() {}

  /** {@code format} with its arguments, in no country's fashion; durations are {@link #time}s. */
  @FormatMethod
  public static String of(@FormatString String format, @Nullable Object... arguments) {
    @Nullable Object[] said = arguments.clone();
    for (int i = 0; i < said.length; i++) {
      if (said[i] instanceof Duration duration) {
        said[i] = time(duration);
      }
    }
    return String.format(Locale.ROOT, format, said);
  }

  /**
   * A duration as people say it: in the largest unit of which there are two or more, or exactly
   * one, rounded down. 10 s, 90 min, 1 h, 3 d.
   */
  public static String time(Duration duration) {
    for (TimeUnit unit : List.of(DAYS, HOURS, MINUTES, SECONDS)) {
      long count = unit.convert(duration);
      if (count >= 2 || (count == 1 && duration.equals(Duration.of(1, unit.toChronoUnit())))) {
        return count
            + switch (unit) {
              case DAYS -> " d";
              case HOURS -> " h";
              case MINUTES -> " min";
              default -> " s";
            };
      }
    }
    return duration.isZero() ? "0 s" : duration.toMillis() + " ms";
  }
}
