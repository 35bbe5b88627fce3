package io.holdfast.service.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.IsoTime;
import io.holdfast.schemas.Sentence;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value as Avro. A number is a number, a text a string, a symbol, or a time in ISO
 * 8601; nothing is converted that could be a mistake.
 *
 * @param where the record: messages begin with it
 * @param parent the path of the record that the value is in; empty at the top
 * @param rounded takes the paths of whole numbers that no double is
 */
record JsonValue(String where, String parent, List<String> rounded) {
  private static final BigDecimal MOST_EXACT = BigDecimal.valueOf(1L << 53);
  private static final int MOST_DIGITS = 1_000;
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  String path(String name) {
    return parent.isEmpty() ? name : parent + "." + name;
  }

  JsonValue below(String name) {
    return new JsonValue(where, path(name), rounded);
  }

  /** The value as the first branch of {@code union} that fits; branch 0 is null. */
  @Nullable Object of(@Nullable JsonNode value, Schema original, Schema union) {
    if (value == null || value.isNull()) {
      return null;
    }
    List<Schema> branches = union.getTypes().subList(1, union.getTypes().size());
    for (Schema type : branches) {
      Object read = of(value, type);
      if (type.getType() == Schema.Type.RECORD && value.isObject()) {
        read = JsonRecords.record(value, record(original, type.getFullName()), type, this);
      }
      if (read != null) {
        return read;
      }
    }
    throw new ProblemException(
        ProblemKind.BAD_RECORD,
        Sentence.of(
            "%sfield %s must be %s or null: %s",
            where,
            parent,
            branches.stream().map(JsonValue::describe).collect(Collectors.joining(" or ")),
            value));
  }

  /** The value if it is of that simple type, else null. */
  private @Nullable Object of(JsonNode value, Schema type) {
    return switch (type.getType()) {
      case INT, LONG -> whole(value, type);
      case FLOAT ->
          value.isNumber() ? real(value, value.floatValue(), "32 bits, about ±3.4e38") : null;
      case DOUBLE ->
          value.isNumber() ? real(value, value.doubleValue(), "64 bits, about ±1.8e308") : null;
      case BOOLEAN -> value.isBoolean() ? value.booleanValue() : null;
      case STRING -> value.textValue();
      case ENUM ->
          value.isTextual() && type.hasEnumSymbol(value.textValue())
              ? new GenericData.EnumSymbol(type, value.textValue())
              : null;
      case BYTES -> value.isNumber() ? decimal(value, type) : null;
      case FIXED ->
          value.isTextual() && UUID_TEXT.matcher(value.textValue()).matches()
              ? new Conversions.UUIDConversion()
                  .toFixed(UUID.fromString(value.textValue()), type, type.getLogicalType())
              : null;
      case RECORD, ARRAY, MAP, UNION, NULL -> null;
    };
  }

  /** A number that is finite in the type's bits. */
  private Number real(JsonNode value, Number number, String range) {
    if (!Double.isFinite(number.doubleValue())) {
      throw new ProblemException(
          ProblemKind.BAD_RECORD,
          Sentence.of(
              "%sfield %s must be within the numbers of %s: %s", where, parent, range, value));
    }
    noteRounded(value.decimalValue());
    return number;
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

  /** A number with its own scale. */
  private Object decimal(JsonNode value, Schema type) {
    BigDecimal number = value.decimalValue();
    if (Double.isInfinite(number.doubleValue()) || number.precision() > MOST_DIGITS) {
      throw new ProblemException(
          ProblemKind.BAD_RECORD,
          Sentence.of(
              "%sfield %s must be within the numbers of 64 bits, about ±1.8e308, and have at most"
                  + " %,d digits: %s",
              where, parent, MOST_DIGITS, value));
    }
    noteRounded(number);
    return new Conversions.BigDecimalConversion().toBytes(number, type, type.getLogicalType());
  }

  /**
   * The whole number that the value is, or the time that it spells in the type's units; null if it
   * is neither, or beyond the type's bits.
   */
  private @Nullable Number whole(JsonNode value, Schema type) {
    boolean isInt = type.getType() == Schema.Type.INT;
    long most = isInt ? Integer.MAX_VALUE : Long.MAX_VALUE;
    LogicalType logical = type.getLogicalType();
    BigDecimal whole = null;
    if (value.isTextual() && logical != null) {
      whole = time(value.textValue(), logical.getName());
    } else if (value.isNumber() && Math.abs(value.doubleValue()) <= 1e19) {
      // Exponents like 1e999999999 would cost memory to expand; they are no whole number of ours.
      whole = value.decimalValue();
    }
    if (whole == null
        || whole.stripTrailingZeros().scale() > 0
        || whole.abs().compareTo(BigDecimal.valueOf(most)) > 0) {
      return null;
    }
    noteRounded(whole);
    return isInt ? (Number) whole.intValueExact() : (Number) whole.longValueExact();
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
    return original.isUnion() ? original.getTypes().get(original.getIndexNamed(name)) : original;
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
