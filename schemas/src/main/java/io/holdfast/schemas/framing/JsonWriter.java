package io.holdfast.schemas.framing;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.IsoTime;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON as Avro: a number as a number, a text as a string, a symbol, a time in ISO 8601, a
 * UUID or a decimal. A field that is not there is its default, or null where it may be. Names that
 * the schema has not are passed over. Owned by one thread.
 */
record JsonWriter(Encoder encoder) {
  private static final int SHOWN = 100;
  private static final int MOST_DIGITS = 1_000;
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  void record(JsonNode object, Schema schema, String path)
      throws IOException, MalformedRecordException {
    for (Schema.Field field : schema.getFields()) {
      String below = path.isEmpty() ? field.name() : path + "." + field.name();
      JsonNode value = given(object, field);
      if (value == null) {
        absent(field, below);
      } else {
        write(value, field.schema(), below);
      }
    }
  }

  /** The value under the field's name, or under one that it had. */
  private static @Nullable JsonNode given(JsonNode object, Schema.Field field) {
    JsonNode value = object.get(field.name());
    if (value == null) {
      for (String alias : field.aliases()) {
        JsonNode former = object.get(alias);
        if (former != null) {
          return former;
        }
      }
    }
    return value;
  }

  private void absent(Schema.Field field, String path)
      throws IOException, MalformedRecordException {
    Schema schema = field.schema();
    if (field.hasDefaultValue()) {
      new GenericDatumWriter<Object>(schema)
          .write(GenericData.get().getDefaultValue(field), encoder);
    } else if (schema.isNullable()) {
      nothing(schema);
    } else {
      throw invalid(
          Sentence.of("field %s is not there, and its schema has no default for it", path));
    }
  }

  private void nothing(Schema schema) throws IOException {
    if (schema.isUnion()) {
      encoder.writeIndex(schema.getIndexNamed("null"));
    }
    encoder.writeNull();
  }

  void write(JsonNode value, Schema schema, String path)
      throws IOException, MalformedRecordException {
    if (value.isNull() && schema.isNullable()) {
      nothing(schema);
      return;
    }
    if (!schema.isUnion()) {
      if (!fits(value, schema)) {
        throw wrong(value, schema, path);
      }
      writeFitting(value, schema, path);
      return;
    }
    int branch = branch(value, schema.getTypes());
    if (branch < 0) {
      throw wrong(value, schema, path);
    }
    encoder.writeIndex(branch);
    writeFitting(value, schema.getTypes().get(branch), path);
  }

  /** The first that fits, but a float that would round only if no other does; else -1. */
  private static int branch(JsonNode value, List<Schema> types) {
    int rounding = -1;
    for (int i = 0; i < types.size(); i++) {
      if (fits(value, types.get(i))) {
        if (types.get(i).getType() != Schema.Type.FLOAT
            || value.floatValue() == value.doubleValue()) {
          return i;
        }
        rounding = i;
      }
    }
    return rounding;
  }

  private static boolean fits(JsonNode value, Schema type) {
    return switch (type.getType()) {
      case NULL -> value.isNull();
      case BOOLEAN -> value.isBoolean();
      case INT -> inRange(whole(value, type), Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> whole(value, type) != null;
      case FLOAT -> value.isNumber() && Float.isFinite(value.floatValue());
      case DOUBLE -> value.isNumber() && Double.isFinite(value.doubleValue());
      case STRING -> value.isTextual();
      case ENUM -> value.isTextual() && type.hasEnumSymbol(value.textValue());
      case RECORD, MAP -> value.isObject();
      case ARRAY -> value.isArray();
      case BYTES -> bytes(value, type) != null;
      case FIXED -> fixed(value, type) != null;
      case UNION -> false; // no union is in a union
    };
  }

  private static boolean inRange(@Nullable Long number, long from, long to) {
    return number != null && number >= from && number <= to;
  }

  private void writeFitting(JsonNode value, Schema type, String path)
      throws IOException, MalformedRecordException {
    switch (type.getType()) {
      case NULL -> encoder.writeNull();
      case BOOLEAN -> encoder.writeBoolean(value.booleanValue());
      case INT -> encoder.writeInt(Math.toIntExact(fitting(whole(value, type))));
      case LONG -> encoder.writeLong(fitting(whole(value, type)));
      case FLOAT -> encoder.writeFloat(value.floatValue());
      case DOUBLE -> encoder.writeDouble(value.doubleValue());
      case STRING -> encoder.writeString(value.textValue());
      case ENUM -> encoder.writeEnum(type.getEnumOrdinal(value.textValue()));
      case RECORD -> record(value, type, path);
      case ARRAY -> array(value, type, path);
      case MAP -> map(value, type, path);
      case BYTES -> encoder.writeBytes(fitting(bytes(value, type)));
      case FIXED -> encoder.writeFixed(fitting(fixed(value, type)));
      case UNION -> throw new IllegalStateException("no union is in a union");
    }
  }

  private static <T> T fitting(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("what fits was looked at before");
    }
    return value;
  }

  private void array(JsonNode value, Schema type, String path)
      throws IOException, MalformedRecordException {
    encoder.writeArrayStart();
    encoder.setItemCount(value.size());
    for (JsonNode item : value) {
      encoder.startItem();
      write(item, type.getElementType(), path);
    }
    encoder.writeArrayEnd();
  }

  private void map(JsonNode value, Schema type, String path)
      throws IOException, MalformedRecordException {
    encoder.writeMapStart();
    encoder.setItemCount(value.size());
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      encoder.startItem();
      encoder.writeString(entry.getKey());
      write(entry.getValue(), type.getValueType(), path + "." + entry.getKey());
    }
    encoder.writeMapEnd();
  }

  /** The whole number that the value is, or the time that it spells in the type's units. */
  private static @Nullable Long whole(JsonNode value, Schema type) {
    if (value.isTextual() && type.getLogicalType() != null) {
      return time(value.textValue(), type.getLogicalType().getName());
    }
    // Exponents like 1e999999999 would cost memory to expand; they are no whole number of ours.
    if (!value.isNumber() || Math.abs(value.doubleValue()) > 1e19) {
      return null;
    }
    BigDecimal number = value.decimalValue();
    boolean whole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    return whole && number.compareTo(LEAST) >= 0 && number.compareTo(MOST) <= 0
        ? Long.valueOf(number.longValue())
        : null;
  }

  private static @Nullable Long time(String text, String logical) {
    Instant time = IsoTime.instant(text);
    if (time == null) {
      return null;
    }
    try {
      return switch (logical) {
        case "date" -> ChronoUnit.DAYS.between(Instant.EPOCH, time.truncatedTo(ChronoUnit.DAYS));
        case "timestamp-millis", "local-timestamp-millis" -> time.toEpochMilli();
        case "timestamp-micros", "local-timestamp-micros" ->
            ChronoUnit.MICROS.between(Instant.EPOCH, time);
        case "timestamp-nanos", "local-timestamp-nanos" ->
            ChronoUnit.NANOS.between(Instant.EPOCH, time);
        default -> null;
      };
    } catch (ArithmeticException e) {
      return null; // beyond the type's bits
    }
  }

  /** A decimal's digits; other bytes as Avro's JSON has them, a character of Latin-1 each. */
  private static byte @Nullable [] bytes(JsonNode value, Schema type) {
    if (type.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return unscaled(value, decimal);
    }
    if (!value.isTextual() || value.textValue().chars().anyMatch(c -> c > 0xFF)) {
      return null;
    }
    return value.textValue().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte @Nullable [] unscaled(JsonNode value, LogicalTypes.Decimal type) {
    BigDecimal number;
    try {
      number =
          value.isTextual() && value.textValue().length() <= MOST_DIGITS
              ? new BigDecimal(value.textValue())
              : value.isNumber() ? value.decimalValue() : null;
      if (number == null || Math.abs((long) number.scale()) > MOST_DIGITS) {
        return null;
      }
      BigDecimal scaled = number.setScale(type.getScale(), RoundingMode.UNNECESSARY);
      return scaled.precision() <= type.getPrecision()
          ? scaled.unscaledValue().toByteArray()
          : null;
    } catch (NumberFormatException e) {
      return null;
    } catch (ArithmeticException e) {
      return null; // digits beyond the scale
    }
  }

  private static byte @Nullable [] fixed(JsonNode value, Schema type) {
    int size = type.getFixedSize();
    if (type.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      byte[] digits = unscaled(value, decimal);
      if (digits == null || digits.length > size) {
        return null;
      }
      byte[] padded = new byte[size];
      Arrays.fill(padded, (byte) (digits[0] < 0 ? 0xFF : 0));
      System.arraycopy(digits, 0, padded, size - digits.length, digits.length);
      return padded;
    }
    if (type.getLogicalType() instanceof LogicalTypes.Uuid && value.isTextual()) {
      String text = value.textValue();
      if (!UUID_TEXT.matcher(text).matches() || size != 2 * Long.BYTES) {
        return null;
      }
      UUID uuid = UUID.fromString(text);
      return ByteBuffer.allocate(size)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    }
    byte[] bytes = bytes(value, type);
    return bytes != null && bytes.length == size ? bytes : null;
  }

  private static MalformedRecordException wrong(JsonNode value, Schema schema, String path) {
    String text = value.isContainerNode() ? value.getNodeType().name() : value.asText();
    return invalid(
        Sentence.of(
            "field %s cannot be %s: %s",
            path, described(schema), text.length() > SHOWN ? text.substring(0, SHOWN) : text));
  }

  private static String described(Schema schema) {
    if (schema.isUnion()) {
      StringBuilder types = new StringBuilder();
      for (Schema type : schema.getTypes()) {
        types.append(types.isEmpty() ? "" : " or ").append(described(type));
      }
      return types.toString();
    }
    return schema.getLogicalType() == null
        ? schema.getType().getName()
        : schema.getLogicalType().getName();
  }

  private static MalformedRecordException invalid(String sentence) {
    return new MalformedRecordException(Reason.INVALID_VALUE, sentence);
  }
}
