package io.holdfast.schemas.wire;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Reads values of a decimal type: {@code decimal} or {@code big-decimal}. Immutable. */
public final class DecimalReader {
  private static final int MAX_BYTES = 1_024; // of a value: 2,466 digits
  private static final int ANY_LENGTH = -1;

  /** Up to here every whole number is a double. */
  private static final long MOST_EXACT = 1L << 53;

  /** The powers of ten that are doubles: a quotient of two exact numbers is the nearest double. */
  private static final double[] POWERS = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22
  };

  private final int size;
  private final boolean ownScale; // each value has its own
  private final int scale;

  private DecimalReader(int size, boolean ownScale, int scale) {
    this.size = size;
    this.ownScale = ownScale;
    this.scale = scale;
  }

  /** A reader of the type's values; null if it is no decimal. */
  public static @Nullable DecimalReader of(Schema type) {
    LogicalType logical = type.getLogicalType();
    int size = type.getType() == Schema.Type.FIXED ? type.getFixedSize() : ANY_LENGTH;
    return switch (logical) {
      case LogicalTypes.Decimal decimal -> new DecimalReader(size, false, decimal.getScale());
      case LogicalTypes.BigDecimal _ -> new DecimalReader(ANY_LENGTH, true, 0);
      case null, default -> null;
    };
  }

  /** The double nearest to the next value, which must not be beyond all doubles. */
  public double readDouble(BodyReader in) throws MalformedRecordException {
    if (ownScale) {
      return nearest(ownScale(in));
    }
    int length = length(in);
    if (length < Long.BYTES && scale >= 0 && scale < POWERS.length) {
      long unscaled = in.readBigEndian(length);
      return Math.abs(unscaled) <= MOST_EXACT
          ? unscaled / POWERS[scale]
          : nearest(BigDecimal.valueOf(unscaled, scale));
    }
    return nearest(new BigDecimal(new BigInteger(in.readBytes(length)), scale));
  }

  /** The next value, exactly; within the doubles. */
  public BigDecimal read(BodyReader in) throws MalformedRecordException {
    BigDecimal value =
        ownScale ? ownScale(in) : new BigDecimal(new BigInteger(in.readBytes(length(in))), scale);
    double _ = nearest(value);
    return value;
  }

  private static double nearest(BigDecimal value) throws MalformedRecordException {
    double nearest = value.doubleValue();
    if (Double.isInfinite(nearest)) {
      throw new MalformedRecordException(
          Reason.INVALID_VALUE, "a decimal is beyond the numbers of 64 bits, about ±1.8e308");
    }
    return nearest;
  }

  private int length(BodyReader in) throws MalformedRecordException {
    return checked(size == ANY_LENGTH ? in.readLength() : size);
  }

  private static int checked(int length) throws MalformedRecordException {
    if (length == 0 || length > MAX_BYTES) {
      throw new MalformedRecordException(
          length == 0 ? Reason.INVALID_VALUE : Reason.LIMIT_EXCEEDED,
          Sentence.of("a decimal has %,d bytes, not 1 to %,d", length, MAX_BYTES));
    }
    return length;
  }

  private static BigDecimal ownScale(BodyReader in) throws MalformedRecordException {
    int length = in.readLength();
    int from = in.position();
    byte[] unscaled = in.readBytes(checked(in.readLength()));
    var value = new BigDecimal(new BigInteger(unscaled), in.readInt());
    if (in.position() - from != length) {
      throw new MalformedRecordException(
          Reason.INVALID_VALUE,
          Sentence.of("a decimal takes %,d bytes and claims %,d", in.position() - from, length));
    }
    return value;
  }
}
