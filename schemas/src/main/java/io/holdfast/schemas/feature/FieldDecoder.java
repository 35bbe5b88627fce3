package io.holdfast.schemas.feature;

import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * SKELETON: reads a few named fields (label, environment, weight, time) of records of one writer
 * schema. Immutable; safe to share.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class FieldDecoder {
  private FieldDecoder() {}

  /**
   * A decoder of the fields at {@code paths}.
   *
   * @throws MalformedRecordException with reason INCOMPATIBLE_SCHEMA if the schema lacks a path or
   *     its type is not a number, boolean, enum, string or timestamp
   */
  public static FieldDecoder compile(Schema writer, List<String> paths)
      throws MalformedRecordException {
    throw new MalformedRecordException(
        MalformedRecordException.Reason.NO_VALUE, "SKELETON" + writer + paths);
  }

  /**
   * The fields' values in the order of the paths: {@link Double} for numbers, booleans (0, 1) and
   * timestamps (milliseconds), {@link String} for enums and strings, null where missing.
   */
  public @Nullable Object[] decode(byte[] bytes, int from) throws MalformedRecordException {
    throw new MalformedRecordException(
        MalformedRecordException.Reason.NO_VALUE, "SKELETON" + from + bytes.length);
  }
}
