package io.holdfast.cli.data;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** ISO 8601 dates and times as milliseconds since 1970. Stateless. */
final class IsoTime {
  private static final int DATE_LENGTH = 10;

  private IsoTime() {}

  /**
   * The instant that {@code text} names: a date, or date and time parted by T or a space, with or
   * without seconds and offset. Without an offset it is UTC, and a date is its midnight. Null if it
   * is neither.
   */
  static @Nullable Long parse(String text) {
    if (text.length() < DATE_LENGTH || text.charAt(4) != '-' || text.charAt(7) != '-') {
      return null;
    }
    try {
      if (text.length() == DATE_LENGTH) {
        return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
      }
      String iso =
          text.charAt(DATE_LENGTH) == ' '
              ? text.substring(0, DATE_LENGTH) + "T" + text.substring(DATE_LENGTH + 1)
              : text;
      String time = iso.substring(DATE_LENGTH);
      boolean offset = time.endsWith("Z") || time.indexOf('+') > 0 || time.indexOf('-') > 0;
      return offset
          ? OffsetDateTime.parse(iso).toInstant().toEpochMilli()
          : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
