package io.holdfast.schemas.feature;

import io.holdfast.schemas.CategoryText;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.BodyPlan;
import io.holdfast.schemas.wire.BodyPlan.Step;
import io.holdfast.schemas.wire.DecimalReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads a few named fields (label, environment, weight, time) of records of one writer schema.
 * Immutable; safe to share.
 */
public final class FieldDecoder {
  private static final int MAX_TEXT_BYTES = 4_096;

  /** Up to here every whole number is a double. */
  private static final long MOST_EXACT = 1L << 53;

  private final BodyPlan<@Nullable Object[]> plan;
  private final int[] slotOfPath;
  private final int slots;

  private FieldDecoder(BodyPlan<@Nullable Object[]> plan, int[] slotOfPath, int slots) {
    this.plan = plan;
    this.slotOfPath = slotOfPath;
    this.slots = slots;
  }

  /**
   * A decoder of the fields at {@code paths}; a path may be named more than once.
   *
   * @throws MalformedRecordException with reason INCOMPATIBLE_SCHEMA if the schema lacks a path or
   *     its type is not a number, boolean, enum, string or timestamp
   */
  public static FieldDecoder compile(Schema writer, List<String> paths)
      throws MalformedRecordException {
    Map<String, Integer> slots = new HashMap<>();
    Map<String, BodyPlan.LeafFactory<@Nullable Object[]>> leaves = new HashMap<>();
    int[] slotOfPath = new int[paths.size()];
    for (int i = 0; i < slotOfPath.length; i++) {
      String path = paths.get(i);
      int slot = slots.computeIfAbsent(path, key -> slots.size());
      slotOfPath[i] = slot;
      leaves.put(path, type -> value(path, type, slot));
    }
    BodyPlan<@Nullable Object[]> plan = BodyPlan.compile(writer, leaves);
    for (String path : paths) {
      if (!plan.found().contains(path)) {
        throw new MalformedRecordException(
            Reason.INCOMPATIBLE_SCHEMA,
            Sentence.of("the record schema %s has no field %s", writer.getFullName(), path));
      }
    }
    return new FieldDecoder(plan, slotOfPath, slots.size());
  }

  /** Whether a field's type is a date or time, so that its values are milliseconds since 1970. */
  public static boolean isTime(Schema writer, String path) throws MalformedRecordException {
    boolean[] time = {true};
    BodyPlan.LeafFactory<@Nullable Object[]> leaf =
        type -> {
          time[0] &= FieldType.of(type) == FieldType.TIME;
          return value(path, type, 0);
        };
    BodyPlan.compile(writer, Map.of(path, leaf));
    return time[0];
  }

  /**
   * The fields' values in the order of the paths: {@link Double} for numbers, decimals, booleans
   * (0, 1) and timestamps (milliseconds), {@link Long} for whole numbers beyond 2^53 that are one,
   * {@link String} for enums, UUIDs and strings, null where missing.
   *
   * @throws MalformedRecordException if the body {@code bytes[from, bytes.length)} is not one whole
   *     record of the writer schema, or a text is longer than 4,096 bytes
   */
  public @Nullable Object[] decode(byte[] bytes, int from) throws MalformedRecordException {
    @Nullable Object[] read = new @Nullable Object[slots];
    plan.read(bytes, from, read);
    if (slots == slotOfPath.length) {
      return read;
    }
    @Nullable Object[] values = new @Nullable Object[slotOfPath.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = read[slotOfPath[i]];
    }
    return values;
  }

  /**
   * A decoded value as text: a whole number without a fraction, so that an int 7 and a double 7 are
   * the same; null is the empty text.
   */
  public static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Double number -> CategoryText.of((double) number);
      default -> value.toString();
    };
  }

  /** A decoded value as the name of an environment, in the one spelling that categories have. */
  public static String environment(@Nullable Object value) {
    return value instanceof String text ? CategoryText.of(text) : text(value);
  }

  private static Object whole(long value) {
    boolean exact = value >= -MOST_EXACT && value <= MOST_EXACT;
    return exact ? Double.valueOf((double) value) : (Object) value;
  }

  private static Object decimal(BigDecimal value) {
    double nearest = value.doubleValue();
    if (Math.abs(nearest) < Long.MAX_VALUE && nearest == Math.rint(nearest)) {
      long whole = value.longValue(); // the decimal's own digits, but for a fraction
      return BigDecimal.valueOf(whole).compareTo(value) == 0 ? whole(whole) : (Object) nearest;
    }
    return nearest;
  }

  private static Step<@Nullable Object[]> value(String path, Schema type, int slot)
      throws MalformedRecordException {
    return switch (FieldType.of(type)) {
      case TIME -> {
        long unit = FieldType.millisPerUnit(type);
        yield (in, values) -> values[slot] = FieldType.millis(in.readLong(), unit);
      }
      case WHOLE -> (in, values) -> values[slot] = whole(in.readLong());
      case REAL ->
          type.getType() == Schema.Type.FLOAT
              ? (in, values) -> values[slot] = (double) in.readFloat()
              : (in, values) -> values[slot] = in.readDouble();
      case BOOLEAN -> (in, values) -> values[slot] = in.readBoolean() ? 1.0 : 0.0;
      case ENUM -> {
        List<String> symbols = type.getEnumSymbols();
        yield (in, values) -> values[slot] = symbols.get(in.readIndex(symbols.size()));
      }
      case STRING -> (in, values) -> values[slot] = in.readString(MAX_TEXT_BYTES);
      case DECIMAL -> {
        DecimalReader decimals = Objects.requireNonNull(DecimalReader.of(type));
        yield (in, values) -> values[slot] = decimal(decimals.read(in));
      }
      case UUID -> (in, values) -> values[slot] = FieldType.uuid(in);
      case UNUSABLE ->
          throw new MalformedRecordException(
              Reason.INCOMPATIBLE_SCHEMA,
              Sentence.of(
                  "field %s is %s in the record schema, not a number, boolean, enum, string or"
                      + " time",
                  path, FieldType.describe(type)));
    };
  }
}
