package io.holdfast.cli.data;

import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** What all values of a CSV column can be read as, from narrow to wide. */
enum ColumnType {
  /** No value seen yet; a column that stays so is a missing number in every row. */
  EMPTY,
  /** A whole number of 64 bits. */
  LONG,
  /** A decimal number. */
  DOUBLE,
  /** The words true and false. */
  BOOLEAN,
  /** ISO 8601 date or time; without a zone it is taken as UTC. */
  TIMESTAMP,
  /** Anything. */
  STRING;

  /** The narrowest type of one value. */
  static ColumnType of(String text) {
    if (isLong(text)) {
      return LONG;
    }
    if (isDouble(text)) {
      return DOUBLE;
    }
    if (text.equals("true") || text.equals("false")) {
      return BOOLEAN;
    }
    return IsoTime.parse(text) == null ? STRING : TIMESTAMP;
  }

  /** The narrowest type that holds the values of both. */
  ColumnType widen(ColumnType other) {
    if (this == other || other == EMPTY) {
      return this;
    }
    if (this == EMPTY) {
      return other;
    }
    boolean numbers = (this == LONG && other == DOUBLE) || (this == DOUBLE && other == LONG);
    return numbers ? DOUBLE : STRING;
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

  /** Digits with an optional minus sign, within 64 bits. */
  private static boolean isLong(String text) {
    return looksNumeric(text) && parseLong(text) != null;
  }

  private static boolean isDouble(String text) {
    return looksNumeric(text) && parseDouble(text) != null;
  }

  /**
   * Whether only digits, signs, point and exponent occur, which excludes what Java alone reads as a
   * number (NaN, 1f, 0x1p3), and no digit follows a leading zero: 007 is a name.
   */
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

  static @Nullable Double parseDouble(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
