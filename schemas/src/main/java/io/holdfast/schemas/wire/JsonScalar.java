package io.holdfast.schemas.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.jspecify.annotations.Nullable;

/** Single JSON values as Avro values. Stateless. */
final class JsonScalar {
  private JsonScalar() {}

  /** Whether {@link #write} would take the value. */
  static boolean accepts(Schema schema, JsonNode value) {
    return switch (schema.getType()) {
      case NULL -> value.isNull();
      case BOOLEAN -> value.isBoolean();
      case INT -> value.canConvertToInt() && whole(value) || dayOrTime(schema, value) != null;
      case LONG -> value.canConvertToLong() && whole(value) || dayOrTime(schema, value) != null;
      case FLOAT, DOUBLE -> value.isNumber();
      case STRING -> value.isTextual();
      case ENUM -> value.isTextual() && schema.hasEnumSymbol(value.textValue());
      case BYTES -> value.isTextual() && latin1(value.textValue());
      case FIXED ->
          value.isTextual()
              && latin1(value.textValue())
              && value.textValue().length() == schema.getFixedSize();
      case RECORD, UNION, ARRAY, MAP -> false;
    };
  }

  static void write(BinaryEncoder out, String path, Schema schema, JsonNode value)
      throws IOException, MalformedRecordException {
    if (!accepts(schema, value)) {
      throw wrong(path, describe(schema), value);
    }
    switch (schema.getType()) {
      case NULL -> out.writeNull();
      case BOOLEAN -> out.writeBoolean(value.booleanValue());
      case INT -> {
        Long time = dayOrTime(schema, value);
        out.writeInt(time == null ? value.intValue() : Math.toIntExact(time));
      }
      case LONG -> {
        Long time = dayOrTime(schema, value);
        out.writeLong(time == null ? value.longValue() : time);
      }
      case FLOAT -> out.writeFloat(value.floatValue());
      case DOUBLE -> out.writeDouble(value.doubleValue());
      case STRING -> out.writeBytes(value.textValue().getBytes(StandardCharsets.UTF_8));
      case ENUM -> out.writeEnum(schema.getEnumOrdinal(value.textValue()));
      case BYTES -> out.writeBytes(value.textValue().getBytes(StandardCharsets.ISO_8859_1));
      default -> out.writeFixed(value.textValue().getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  private static boolean whole(JsonNode value) {
    return value.isIntegralNumber() || value.isNumber() && value.doubleValue() % 1 == 0;
  }

  private static boolean latin1(String text) {
    return text.chars().allMatch(character -> character < 256);
  }

  /** An ISO-8601 text in the units of the schema's logical type; null if it is none. */
  private static @Nullable Long dayOrTime(Schema schema, JsonNode value) {
    LogicalType logical = schema.getLogicalType();
    if (logical == null || !value.isTextual()) {
      return null;
    }
    String text = value.textValue();
    try {
      return switch (logical.getName()) {
        case "date" -> LocalDate.parse(text).toEpochDay();
        case "timestamp-millis" -> Instant.parse(text).toEpochMilli();
        case "timestamp-micros" -> units(Instant.parse(text), 1_000);
        case "timestamp-nanos" -> units(Instant.parse(text), 1);
        case "local-timestamp-millis" -> local(text).toEpochMilli();
        case "local-timestamp-micros" -> units(local(text), 1_000);
        case "local-timestamp-nanos" -> units(local(text), 1);
        default -> null;
      };
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  private static Instant local(String text) {
    return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
  }

  private static long units(Instant instant, int nanosPerUnit) {
    long perSecond = 1_000_000_000L / nanosPerUnit;
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), perSecond), instant.getNano() / nanosPerUnit);
  }

  static MalformedRecordException wrong(String path, String wanted, JsonNode value) {
    String text = value.toString();
    return new MalformedRecordException(
        Reason.INVALID_VALUE,
        Sentence.of(
            "%s must be %s: %s",
            path.isEmpty() ? "the record" : path,
            wanted,
            text.length() > 80 ? text.substring(0, 80) + "…" : text));
  }

  /** What a user would call a value of the type. */
  static String describe(Schema schema) {
    boolean time = schema.getLogicalType() != null;
    return switch (schema.getType()) {
      case NULL -> "null";
      case BOOLEAN -> "true or false";
      case INT, LONG -> time ? "a whole number or an ISO-8601 time" : "a whole number";
      case FLOAT, DOUBLE -> "a number";
      case STRING -> "a text";
      case ENUM -> "one of " + String.join(", ", schema.getEnumSymbols());
      case BYTES -> "a text of characters 0 to 255";
      case FIXED -> Sentence.of("a text of %d characters 0 to 255", schema.getFixedSize());
      case ARRAY -> "a list";
      case MAP, RECORD -> "an object";
      case UNION -> "one of several types";
    };
  }
}
