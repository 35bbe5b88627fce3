package io.holdfast.schemas.feature;

import io.holdfast.schemas.wire.BodyReader;
import io.holdfast.schemas.wire.DecimalReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** What a field's type means to a model: the one place that maps Avro types. */
enum FieldType {
  /** A whole number that is no time; may be categorical. */
  WHOLE,
  /** A float or double; may be categorical. */
  REAL,
  /** True or false: 1 or 0; may be categorical. */
  BOOLEAN,
  /** A decimal, the double that is nearest to it; may be categorical. */
  DECIMAL,
  /** A date or timestamp, in milliseconds. */
  TIME,
  ENUM,
  STRING,
  /** A UUID in 16 bytes: a category, as its text would be. */
  UUID,
  /** Bytes, collections, durations: of no use to a model. */
  UNUSABLE;

  /** The meaning of a type other than null, union and record. */
  static FieldType of(Schema schema) {
    return switch (schema.getType()) {
      case INT, LONG -> millisPerUnit(schema) == 0 ? WHOLE : TIME;
      case FLOAT, DOUBLE -> REAL;
      case BOOLEAN -> BOOLEAN;
      case ENUM -> ENUM;
      case STRING -> STRING;
      case BYTES, FIXED -> ofBytes(schema);
      case ARRAY, MAP, RECORD, UNION, NULL -> UNUSABLE;
    };
  }

  private static FieldType ofBytes(Schema schema) {
    LogicalType logical = schema.getLogicalType();
    boolean uuid = schema.getType() == Schema.Type.FIXED && logical instanceof LogicalTypes.Uuid;
    return DecimalReader.of(schema) != null ? DECIMAL : uuid ? UUID : UNUSABLE;
  }

  boolean numeric() {
    return this != ENUM && this != STRING && this != UUID && this != UNUSABLE;
  }

  boolean categorical() {
    return this != TIME && this != UNUSABLE;
  }

  /**
   * How many milliseconds a unit of the type is, negative if there are that many units in a
   * millisecond, 0 if it is no time.
   */
  static long millisPerUnit(Schema schema) {
    LogicalType logical = schema.getLogicalType();
    return logical == null
        ? 0
        : switch (logical.getName()) {
          case "date" -> 86_400_000;
          case "time-millis", "timestamp-millis", "local-timestamp-millis" -> 1;
          case "time-micros", "timestamp-micros", "local-timestamp-micros" -> -1_000;
          case "timestamp-nanos", "local-timestamp-nanos" -> -1_000_000;
          default -> 0;
        };
  }

  /** The type in words, for messages: {@code string}, {@code long timestamp-millis}. */
  static String describe(Schema schema) {
    LogicalType logical = schema.getLogicalType();
    String type = schema.getType().getName();
    return logical == null ? type : type + " " + logical.getName();
  }

  /** The text of a UUID in 16 bytes. */
  static String uuid(BodyReader in) throws MalformedRecordException {
    return new java.util.UUID(in.readBigEndian(Long.BYTES), in.readBigEndian(Long.BYTES))
        .toString();
  }

  /** A time of {@code units} in milliseconds. */
  static double millis(long units, long millisPerUnit) {
    return millisPerUnit < 0 ? (double) units / -millisPerUnit : (double) units * millisPerUnit;
  }
}
