package io.holdfast.cli.data;

import io.holdfast.cli.csv.Cell;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

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

  /** The narrowest type of one cell that is no gap, by what {@link Cell} says of it. */
  static ColumnType of(byte kind) {
    return switch (kind) {
      case Cell.LONG, Cell.MINUS_ZERO -> LONG;
      case Cell.DOUBLE, Cell.BIG, Cell.BEYOND -> DOUBLE;
      case Cell.BOOLEAN -> BOOLEAN;
      case Cell.TIMESTAMP -> TIMESTAMP;
      default -> STRING;
    };
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
}
