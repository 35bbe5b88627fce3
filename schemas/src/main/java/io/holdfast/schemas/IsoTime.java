package io.holdfast.schemas;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** ISO 8601 dates and times as instants. Stateless. */
public final class IsoTime {
  /** What is understood, as a message says it. */
  public static final String FORMATS =
      "an ISO 8601 date or time (2026-05-31, 2026-05-31T08:30 or 2026-05-31 08:30:00+02:00)";

  private static final int DATE_LENGTH = 10;

  private IsoTime() {}

  /**
   * The instant that {@code text} names: a date, or date and time parted by T or a space, with or
   * without seconds and offset. Without an offset it is UTC, and a date is its midnight. Null if it
   * is neither.
   */
  public static @Nullable Instant instant(String text) {
    if (text.length() < DATE_LENGTH || text.charAt(4) != '-' || text.charAt(7) != '-') {
      return null;
    }
    try {
      if (text.length() == DATE_LENGTH) {
        return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      }
      String iso =
          text.charAt(DATE_LENGTH) == ' '
              ? text.substring(0, DATE_LENGTH) + "T" + text.substring(DATE_LENGTH + 1)
              : text;
      String time = iso.substring(DATE_LENGTH);
      boolean offset = time.endsWith("Z") || time.indexOf('+') > 0 || time.indexOf('-') > 0;
      return offset
          ? OffsetDateTime.parse(iso).toInstant()
          : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The same in milliseconds since 1970. */
  public static @Nullable Long parse(String text) {
    Instant instant = instant(text);
    return instant == null ? null : instant.toEpochMilli();
  }
}
