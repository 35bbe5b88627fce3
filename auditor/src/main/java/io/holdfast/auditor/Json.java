package io.holdfast.auditor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records that are written as JSON, as a schema has them: see "Framing" in {@code docs/formats.md}.
 * Stateless.
 */
final class Json {
  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .reader();

  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private Json() {}

  static GenericRecord record(byte[] value, Schema schema) throws UnreadableException {
    try {
      JsonNode root = READER.readTree(value);
      if (!root.isObject()) {
        throw new UnreadableException("it is no JSON object");
      }
      return record(root, schema);
    } catch (IOException | NumberFormatException e) {
      throw new UnreadableException("it is no JSON: " + e.getMessage());
    }
  }

  private static GenericRecord record(JsonNode object, Schema schema) throws UnreadableException {
    GenericRecord record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      JsonNode given = object.get(field.name());
      for (String alias : field.aliases()) {
        given = given == null ? object.get(alias) : given;
      }
      if (given != null) {
        record.put(field.pos(), value(given, field.schema(), field.name()));
      } else if (field.hasDefaultValue()) {
        record.put(field.pos(), Schemas.defaultOf(field));
      } else if (!field.schema().isNullable()) {
        throw new UnreadableException("its field " + field.name() + " is not there");
      }
    }
    return record;
  }

  /** Null is a value, too, where the type has it. */
  private static @Nullable Object value(JsonNode node, Schema type, String name)
      throws UnreadableException {
    if (node.isNull() && type.isNullable()) {
      return null;
    }
    if (type.getType() != Schema.Type.UNION) {
      return required(of(node, type), name);
    }
    Object rounded = null;
    for (Schema branch : type.getTypes()) {
      Object read = of(node, branch);
      boolean rounds =
          branch.getType() == Schema.Type.FLOAT && node.floatValue() != node.doubleValue();
      if (read != null && !rounds) {
        return read;
      }
      rounded = rounded == null ? read : rounded;
    }
    return required(rounded, name);
  }

  private static Object required(@Nullable Object read, String name) throws UnreadableException {
    if (read == null) {
      throw new UnreadableException("its field " + name + " does not fit its type");
    }
    return read;
  }

  /** A value of a type that is no union; null if it is none. */
  private static @Nullable Object of(JsonNode node, Schema type) throws UnreadableException {
    return switch (type.getType()) {
      case BOOLEAN -> node.isBoolean() ? node.booleanValue() : null;
      case INT -> {
        Long n = whole(node, type);
        yield n != null && n == n.intValue() ? n.intValue() : null;
      }
      case LONG -> whole(node, type);
      case FLOAT -> node.isNumber() && Float.isFinite(node.floatValue()) ? node.floatValue() : null;
      case DOUBLE ->
          node.isNumber() && Double.isFinite(node.doubleValue()) ? node.doubleValue() : null;
      case STRING -> node.isTextual() ? node.textValue() : null;
      case ENUM ->
          node.isTextual() && type.hasEnumSymbol(node.textValue())
              ? new GenericData.EnumSymbol(type, node.textValue())
              : null;
      case RECORD -> node.isObject() ? record(node, type) : null;
      case ARRAY -> node.isArray() ? array(node, type) : null;
      case MAP -> node.isObject() ? map(node, type) : null;
      case BYTES, FIXED -> bytes(node, type);
      case NULL, UNION -> null;
    };
  }

  private static List<@Nullable Object> array(JsonNode node, Schema type)
      throws UnreadableException {
    List<@Nullable Object> all = new ArrayList<>();
    for (JsonNode one : node) {
      all.add(value(one, type.getElementType(), "of an array"));
    }
    return all;
  }

  private static Map<String, @Nullable Object> map(JsonNode node, Schema type)
      throws UnreadableException {
    Map<String, @Nullable Object> all = new HashMap<>();
    for (Map.Entry<String, JsonNode> one : node.properties()) {
      all.put(one.getKey(), value(one.getValue(), type.getValueType(), one.getKey()));
    }
    return all;
  }

  private static @Nullable Long whole(JsonNode node, Schema type) {
    LogicalType logical = type.getLogicalType();
    if (node.isTextual() && logical != null) {
      return time(node.textValue(), logical.getName());
    }
    if (!node.isNumber() || Math.abs(node.doubleValue()) > 1e19) {
      return null;
    }
    try {
      return node.decimalValue().longValueExact();
    } catch (ArithmeticException e) {
      return null;
    }
  }

  private static @Nullable Long time(String text, String type) {
    Instant at = instant(text.strip().replace(' ', 'T'));
    if (at == null) {
      return null;
    }
    if (type.equals("date")) {
      return Math.floorDiv(at.getEpochSecond(), 86_400L);
    }
    ChronoUnit unit =
        type.endsWith("-millis")
            ? ChronoUnit.MILLIS
            : type.endsWith("-micros") ? ChronoUnit.MICROS : ChronoUnit.NANOS;
    try {
      return type.contains("timestamp-") ? unit.between(Instant.EPOCH, at) : null;
    } catch (ArithmeticException e) {
      return null;
    }
  }

  private static @Nullable Instant instant(String text) {
    try {
      if (text.indexOf('T') < 0) {
        return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      }
      boolean zoned = text.endsWith("Z") || text.matches(".*[+-]\\d\\d:\\d\\d");
      return zoned
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static @Nullable Object bytes(JsonNode node, Schema type) {
    boolean fixed = type.getType() == Schema.Type.FIXED;
    if (type.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      try {
        BigDecimal number =
            node.isTextual() ? new BigDecimal(node.textValue()) : node.decimalValue();
        boolean given = node.isTextual() || node.isNumber();
        return given && Math.abs((long) number.scale()) <= 1_000
            ? number.setScale(decimal.getScale())
            : null;
      } catch (ArithmeticException | NumberFormatException e) {
        return null;
      }
    }
    if (!node.isTextual()) {
      return null;
    }
    byte[] bytes = node.textValue().getBytes(ISO_8859_1);
    if (fixed && type.getLogicalType() instanceof LogicalTypes.Uuid) {
      if (!UUID_TEXT.matcher(node.textValue()).matches()) {
        return null;
      }
      UUID uuid = UUID.fromString(node.textValue());
      bytes =
          ByteBuffer.allocate(16)
              .putLong(uuid.getMostSignificantBits())
              .putLong(uuid.getLeastSignificantBits())
              .array();
    }
    return fixed
        ? bytes.length == type.getFixedSize() ? new GenericData.Fixed(type, bytes) : null
        : ByteBuffer.wrap(bytes);
  }
}
