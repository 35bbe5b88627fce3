package io.holdfast.service.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.IsoTime;
import io.holdfast.schemas.Sentence;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value as Avro. A number is a number, a text a string, a symbol, or a time in ISO
 * 8601; nothing is converted that could be a mistake.
 *
 * @param where the record, to begin a message with
 * @param parent the path of the record that the value is in; empty at the top
 * @param rounded takes the paths of whole numbers that no number of 64 bits with a point is
 */
record JsonValue(Encoder encoder, String where, String parent, List<String> rounded) {
  private static final BigDecimal MOST_EXACT = BigDecimal.valueOf(1L << 53);
  private static final int MOST_DIGITS = 1_000;
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  String path(String name) {
    return parent.isEmpty() ? name : parent + "." + name;
  }

  JsonValue below(String name) {
    return new JsonValue(encoder, where, path(name), rounded);
  }

  /** Writes the value as a branch of {@code union}, whose branch 0 is null. */
  void union(@Nullable JsonNode value, Schema original, Schema union)
      throws IOException, BadRequestException {
    if (value == null || value.isNull()) {
      encoder.writeIndex(0);
      return;
    }
    List<Schema> branches = union.getTypes();
    for (int branch = 1; branch < branches.size(); branch++) {
      Schema type = branches.get(branch);
      if (type.getType() == Schema.Type.RECORD) {
        if (value.isObject()) {
          encoder.writeIndex(branch);
          JsonRecords.record(value, record(original, type.getFullName()), type, this);
          return;
        }
      } else if (leaf(value, type, branch)) {
        return;
      }
    }
    String types =
        branches.stream().skip(1).map(JsonValue::describe).collect(Collectors.joining(" or "));
    throw new BadRequestException(
        where + "field " + parent + " must be " + types + " or null: " + value);
  }

  /** Writes the value if it is of that type. */
  private boolean leaf(JsonNode value, Schema type, int branch)
      throws IOException, BadRequestException {
    switch (type.getType()) {
      case INT, LONG -> {
        BigDecimal whole = whole(value, type);
        boolean isInt = type.getType() == Schema.Type.INT;
        if (whole == null || !fits(whole, isInt)) {
          return false;
        }
        noteRounded(whole);
        encoder.writeIndex(branch);
        if (isInt) {
          encoder.writeInt(whole.intValueExact());
        } else {
          encoder.writeLong(whole.longValueExact());
        }
      }
      case FLOAT, DOUBLE -> {
        return real(value, type, branch);
      }
      case BOOLEAN -> {
        if (!value.isBoolean()) {
          return false;
        }
        encoder.writeIndex(branch);
        encoder.writeBoolean(value.booleanValue());
      }
      case ENUM -> {
        if (!value.isTextual() || !type.hasEnumSymbol(value.textValue())) {
          return false;
        }
        encoder.writeIndex(branch);
        encoder.writeEnum(type.getEnumOrdinal(value.textValue()));
      }
      case STRING -> {
        if (!value.isTextual()) {
          return false;
        }
        encoder.writeIndex(branch);
        encoder.writeString(value.textValue());
      }
      case BYTES -> {
        return decimal(value, type, branch);
      }
      case FIXED -> {
        return uuid(value, branch);
      }
      case RECORD, ARRAY, MAP, UNION, NULL -> {
        return false;
      }
    }
    return true;
  }

  /** Writes a number that is finite in the type's bits. */
  private boolean real(JsonNode value, Schema type, int branch)
      throws IOException, BadRequestException {
    if (!value.isNumber()) {
      return false;
    }
    boolean small = type.getType() == Schema.Type.FLOAT;
    if (!Double.isFinite(small ? value.floatValue() : value.doubleValue())) {
      throw new BadRequestException(
          Sentence.of(
              "%sfield %s must be within the numbers of %s: %s",
              where, parent, small ? "32 bits, about ±3.4e38" : "64 bits, about ±1.8e308", value));
    }
    noteRounded(value.decimalValue());
    encoder.writeIndex(branch);
    if (small) {
      encoder.writeFloat(value.floatValue());
    } else {
      encoder.writeDouble(value.doubleValue());
    }
    return true;
  }

  private void noteRounded(BigDecimal number) {
    if (number.abs().compareTo(MOST_EXACT) > 0 && number.scale() <= 0) {
      double rounded = number.doubleValue();
      // What programs write of a number is seldom all of its digits: the shortest that tell it.
      if (number.compareTo(new BigDecimal(rounded)) != 0
          && number.compareTo(new BigDecimal(Double.toString(rounded))) != 0) {
        this.rounded.add(parent);
      }
    }
  }

  /** Writes a number with its own scale. */
  private boolean decimal(JsonNode value, Schema type, int branch)
      throws IOException, BadRequestException {
    if (!value.isNumber()) {
      return false;
    }
    BigDecimal number = value.decimalValue();
    if (Double.isInfinite(number.doubleValue()) || number.precision() > MOST_DIGITS) {
      throw new BadRequestException(
          Sentence.of(
              "%sfield %s must be within the numbers of 64 bits, about ±1.8e308, and have at most"
                  + " %,d digits: %s",
              where, parent, MOST_DIGITS, value));
    }
    noteRounded(number);
    encoder.writeIndex(branch);
    encoder.writeBytes(
        new Conversions.BigDecimalConversion().toBytes(number, type, type.getLogicalType()));
    return true;
  }

  private boolean uuid(JsonNode value, int branch) throws IOException {
    String text = value.isTextual() ? value.textValue() : "";
    if (!UUID_TEXT.matcher(text).matches()) {
      return false;
    }
    UUID uuid = UUID.fromString(text);
    encoder.writeIndex(branch);
    encoder.writeFixed(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array());
    return true;
  }

  private static boolean fits(BigDecimal whole, boolean isInt) {
    return isInt
        ? whole.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0
        : whole.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
  }

  /** The whole number that the value is, or the time that it spells in the type's units. */
  private static @Nullable BigDecimal whole(JsonNode value, Schema type) {
    LogicalType logical = type.getLogicalType();
    if (value.isTextual() && logical != null) {
      return time(value.textValue(), logical.getName());
    }
    // Exponents like 1e999999999 would cost memory to expand; they are no whole number of ours.
    if (!value.isNumber() || Math.abs(value.doubleValue()) > 1e19) {
      return null;
    }
    BigDecimal number = value.decimalValue();
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0 ? number : null;
  }

  /** The same texts as in files, so that a row means the same by HTTP. */
  private static @Nullable BigDecimal time(String text, String logical) {
    Instant time = IsoTime.instant(text);
    if (time == null) {
      return null;
    }
    try {
      return switch (logical) {
        case "date" ->
            time.equals(time.truncatedTo(ChronoUnit.DAYS)) ? since(time, ChronoUnit.DAYS) : null;
        case "timestamp-millis", "local-timestamp-millis" -> since(time, ChronoUnit.MILLIS);
        case "timestamp-micros", "local-timestamp-micros" -> since(time, ChronoUnit.MICROS);
        case "timestamp-nanos", "local-timestamp-nanos" -> since(time, ChronoUnit.NANOS);
        default -> null;
      };
    } catch (ArithmeticException e) {
      return null; // beyond the type's bits
    }
  }

  private static BigDecimal since(Instant time, ChronoUnit unit) {
    return BigDecimal.valueOf(unit.between(Instant.EPOCH, time));
  }

  /** The record of that name among the field's types. */
  private static Schema record(Schema original, String name) {
    if (original.isUnion()) {
      for (Schema type : original.getTypes()) {
        if (type.getType() == Schema.Type.RECORD && type.getFullName().equals(name)) {
          return type;
        }
      }
    }
    return original;
  }

  private static String describe(Schema type) {
    return switch (type.getType()) {
      case ENUM -> "one of " + String.join(", ", type.getEnumSymbols());
      case RECORD -> "an object";
      case STRING -> "a text";
      case FIXED -> "a UUID";
      case BOOLEAN -> "true or false";
      case INT, LONG ->
          type.getLogicalType() == null
              ? "a whole number"
              : IsoTime.FORMATS + ", or its number since 1970";
      default -> "a number";
    };
  }
}
