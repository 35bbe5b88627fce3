package io.holdfast.schemas.feature;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** A part of a date or time that is a feature of its own, {@code hour(ordered)}; in UTC. */
public enum DatePart {
  /** From 0 to 23. */
  HOUR,
  /** From 1, Monday, to 7. */
  WEEKDAY,
  /** From 1 to 12. */
  MONTH;

  private static final long DAY = 86_400_000;
  private static final int THURSDAY = 4; // the day of the week of 1970-01-01

  /** The part of a time since 1970. */
  double of(long milliseconds) {
    long day = Math.floorDiv(milliseconds, DAY);
    return switch (this) {
      case HOUR -> Math.floorDiv(Math.floorMod(milliseconds, DAY), DAY / 24);
      case WEEKDAY -> Math.floorMod(day + THURSDAY - 1, 7) + 1;
      case MONTH -> LocalDate.ofEpochDay(day).getMonthValue();
    };
  }

  /** The name of the feature that is this part of the field at a path. */
  public String feature(String path) {
    return name().toLowerCase(Locale.ROOT) + "(" + path + ")";
  }

  /** Which part a feature of that name is; null if it is a field as it is. */
  public static @Nullable DatePart in(String feature) {
    for (DatePart part : values()) {
      if (feature.endsWith(")") && feature.startsWith(part.name().toLowerCase(Locale.ROOT) + "(")) {
        return part;
      }
    }
    return null;
  }

  /** The path of the field that a feature is, or is a part of. */
  public static String path(String feature) {
    return in(feature) == null
        ? feature
        : feature.substring(feature.indexOf('(') + 1, feature.length() - 1);
  }

  /** The parts that all values of the types have; none if one is no date or time. */
  static List<DatePart> of(List<Schema> types) {
    List<DatePart> parts = new ArrayList<>(List.of(values()));
    for (Schema type : types) {
      if (FieldType.of(type) != FieldType.TIME) {
        return List.of();
      }
      String logical = type.getLogicalType().getName();
      if (logical.equals("date")) {
        parts.remove(HOUR);
      } else if (logical.startsWith("time-")) {
        parts.retainAll(List.of(HOUR));
      }
    }
    return parts;
  }
}
