package io.holdfast.service.infer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The element types of the protocol's tensors. A value that is missing is null, or NaN. */
enum Datatype {
  BOOL(1),
  UINT8(1),
  UINT16(2),
  UINT32(4),
  UINT64(8),
  INT8(1),
  INT16(2),
  INT32(4),
  INT64(8),
  FP16(2),
  FP32(4),
  FP64(8),
  BYTES(0);

  /** Of binary data; 0 where each element says its own. */
  private final int size;

  Datatype(int size) {
    this.size = size;
  }

  /** The datatype of that name; null if there is none. */
  static @Nullable Datatype of(String name) {
    for (Datatype datatype : values()) {
      if (datatype.name().equals(name)) {
        return datatype;
      }
    }
    return null;
  }

  /** The value as a record has it, missing as null; null if it is none of the type. */
  @Nullable JsonNode read(JsonNode value) {
    if (value.isNull()) {
      return value;
    }
    return switch (this) {
      case BOOL -> value.isBoolean() ? value : null;
      case BYTES -> value.isTextual() ? value : null;
      case FP16, FP32, FP64 -> real(value);
      default -> value.isNumber() && isWhole(value) ? value : null;
    };
  }

  private static @Nullable JsonNode real(JsonNode value) {
    boolean nan = value.isTextual() && value.textValue().equals("NaN"); // as some programs write it
    if (nan || (value.isNumber() && Double.isNaN(value.doubleValue()))) {
      return NullNode.instance;
    }
    boolean infinite =
        (value.isDouble() || value.isFloat()) && Double.isInfinite(value.doubleValue());
    return value.isNumber() && !infinite ? value : null;
  }

  private boolean isWhole(JsonNode value) {
    if (!(Math.abs(value.doubleValue()) <= 0x1p64)) {
      return false; // before an exponent like 1e999999999 is expanded; NaN too
    }
    BigDecimal number = value.decimalValue();
    BigInteger most =
        BigInteger.ONE.shiftLeft(8 * size - (isSigned() ? 1 : 0)).subtract(BigInteger.ONE);
    BigInteger least = isSigned() ? most.not() : BigInteger.ZERO;
    return number.stripTrailingZeros().scale() <= 0
        && number.compareTo(new BigDecimal(most)) <= 0
        && number.compareTo(new BigDecimal(least)) >= 0;
  }

  private boolean isSigned() {
    return name().startsWith("INT");
  }

  /**
   * The next value of binary data, little-endian; null if it is none of the type.
   *
   * @throws java.nio.BufferUnderflowException if the data ends within it
   */
  @Nullable JsonNode read(ByteBuffer data) throws CharacterCodingException {
    JsonNodeFactory numbers = JsonNodeFactory.instance;
    return switch (this) {
      case BOOL -> BooleanNode.valueOf(data.get() != 0);
      case UINT8 -> numbers.numberNode(Byte.toUnsignedInt(data.get()));
      case UINT16 -> numbers.numberNode(Short.toUnsignedInt(data.getShort()));
      case UINT32 -> numbers.numberNode(Integer.toUnsignedLong(data.getInt()));
      case UINT64 -> numbers.numberNode(new BigInteger(Long.toUnsignedString(data.getLong())));
      case INT8 -> numbers.numberNode(data.get());
      case INT16 -> numbers.numberNode(data.getShort());
      case INT32 -> numbers.numberNode(data.getInt());
      case INT64 -> numbers.numberNode(data.getLong());
      case FP16 -> real(FloatNode.valueOf(Float.float16ToFloat(data.getShort())));
      case FP32 -> real(FloatNode.valueOf(data.getFloat()));
      case FP64 -> real(DoubleNode.valueOf(data.getDouble()));
      case BYTES -> text(data);
    };
  }

  private static @Nullable JsonNode text(ByteBuffer data) throws CharacterCodingException {
    int length = data.getInt();
    if (length < 0 || length > data.remaining()) {
      return null;
    }
    ByteBuffer text = data.slice(data.position(), length);
    data.position(data.position() + length);
    return TextNode.valueOf(StandardCharsets.UTF_8.newDecoder().decode(text).toString());
  }
}
