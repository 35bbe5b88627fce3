package io.holdfast.schemas.feature;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.BodyPlan;
import io.holdfast.schemas.wire.BodyPlan.Step;
import io.holdfast.schemas.wire.DecimalReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads one field of records of one writer schema as text that names something: whole numbers to
 * their last digit, so that an int 7, a long 7, a double 7 and a string 7 are the same. Immutable;
 * safe to share.
 */
public final class TextField {
  private static final int MAX_TEXT_BYTES = 4_096;

  private final BodyPlan<@Nullable String[]> plan;

  private TextField(BodyPlan<@Nullable String[]> plan) {
    this.plan = plan;
  }

  /**
   * A reader of the field at {@code path}; null if the schema has none.
   *
   * @throws MalformedRecordException with reason INCOMPATIBLE_SCHEMA if its type is not a number,
   *     boolean, enum, string, UUID or time
   */
  public static @Nullable TextField compile(Schema writer, String path)
      throws MalformedRecordException {
    BodyPlan<@Nullable String[]> plan =
        BodyPlan.compile(writer, Map.of(path, type -> text(path, type)));
    return plan.found().contains(path) ? new TextField(plan) : null;
  }

  /**
   * The field of the body {@code bytes[from, bytes.length)}; null where it is missing.
   *
   * @throws MalformedRecordException if the body is not one whole record of the writer schema, or
   *     the text is longer than 4,096 bytes
   */
  public @Nullable String read(byte[] bytes, int from) throws MalformedRecordException {
    @Nullable String[] text = new @Nullable String[1];
    plan.read(bytes, from, text);
    return text[0];
  }

  private static Step<@Nullable String[]> text(String path, Schema type)
      throws MalformedRecordException {
    return switch (FieldType.of(type)) {
      case WHOLE, TIME -> (in, text) -> text[0] = Long.toString(in.readLong());
      case REAL ->
          type.getType() == Schema.Type.FLOAT
              ? (in, text) -> text[0] = FieldDecoder.text((double) in.readFloat())
              : (in, text) -> text[0] = FieldDecoder.text(in.readDouble());
      case BOOLEAN -> (in, text) -> text[0] = Boolean.toString(in.readBoolean());
      case ENUM ->
          (in, text) ->
              text[0] = type.getEnumSymbols().get(in.readIndex(type.getEnumSymbols().size()));
      case STRING -> (in, text) -> text[0] = in.readString(MAX_TEXT_BYTES);
      case DECIMAL -> {
        DecimalReader decimals = Objects.requireNonNull(DecimalReader.of(type));
        yield (in, text) -> text[0] = decimals.read(in).stripTrailingZeros().toPlainString();
      }
      case UUID -> (in, text) -> text[0] = FieldType.uuid(in);
      case UNUSABLE ->
          throw new MalformedRecordException(
              Reason.INCOMPATIBLE_SCHEMA,
              Sentence.of(
                  "field %s is %s, not a number, boolean, enum, string, UUID or time",
                  path, FieldType.describe(type)));
    };
  }
}
