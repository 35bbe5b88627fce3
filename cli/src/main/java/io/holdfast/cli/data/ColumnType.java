package io.holdfast.cli.data;

import io.holdfast.schemas.IsoTime;
import java.util.Locale;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** What all values of a CSV column can be read as. */
enum ColumnType {
  /** No value seen yet: a missing number in every row. */
  EMPTY,
  LONG,
  DOUBLE,
  BOOLEAN,
  /** ISO 8601 date or time; UTC without a zone. */
  TIMESTAMP,
  STRING;

  /** The narrowest type of one value, which has no spaces around it. */
  static ColumnType of(String text) {
    if (looksNumeric(text)) {
      if (parseLong(text) != null) {
        return LONG;
      }
      if (parseDouble(text) != null) {
        return DOUBLE;
      }
    }
    if (isInfinity(text)) {
      return DOUBLE;
    }
    if (truth(text) != null) {
      return BOOLEAN;
    }
    return IsoTime.parse(text) == null ? STRING : TIMESTAMP;
  }

  Schema schema() {
    return switch (this) {
      case LONG -> Schema.create(Schema.Type.LONG);
      case EMPTY, DOUBLE -> Schema.create(Schema.Type.DOUBLE);
      case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
      case TIMESTAMP -> LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
      case STRING -> Schema.create(Schema.Type.STRING);
    };
  }

  String noun() {
    return switch (this) {
      case EMPTY, LONG, DOUBLE -> "number";
      case BOOLEAN -> "true or false";
      case TIMESTAMP -> "ISO 8601 date or time";
      case STRING -> "text";
    };
  }

  /** The number that a text spells, infinite if beyond all doubles; null if it spells none. */
  static @Nullable Double number(String text) {
    if (looksNumeric(text)) {
      return parseDouble(text);
    }
    if (isInfinity(text)) {
      return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return null;
  }

  static boolean isBeyond(String text) {
    Double number = looksNumeric(text) ? parseDouble(text) : null;
    return number != null && number.isInfinite();
  }

  static @Nullable Boolean truth(String text) {
    if (text.equalsIgnoreCase("true")) {
      return true;
    }
    return text.equalsIgnoreCase("false") ? false : null;
  }

  private static boolean isInfinity(String text) {
    int first = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    if (text.length() - first != 3 && text.length() - first != 8) {
      return false;
    }
    String word = text.substring(first).toLowerCase(Locale.ROOT);
    return word.equals("inf") || word.equals("infinity");
  }

  /** No text that Java alone reads as a number (NaN, 1f, 0x1p3), and no 007, which is a name. */
  private static boolean looksNumeric(String text) {
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789.-+eE".indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    int first = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    boolean zeroLeads = text.length() > first + 1 && text.charAt(first) == '0';
    return !zeroLeads || !Character.isDigit(text.charAt(first + 1));
  }

  static @Nullable Long parseLong(String text) {
    // Decimal numbers are what most text that is no whole number is: an exception each is dear.
    if (text.indexOf('.') >= 0) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Double parseDouble(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
