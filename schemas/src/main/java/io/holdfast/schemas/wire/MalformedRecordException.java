package io.holdfast.schemas.wire;

/** Bytes that are no record of a known schema; {@link #reason} is what dead letters count by. */
public final class MalformedRecordException extends Exception {
  private static final long serialVersionUID = 1;
  private final Reason reason;

  /** Why a record cannot be used. */
  public enum Reason {
    /** The record has no value. */
    NO_VALUE,
    /** The bytes do not begin as the framing says. */
    UNKNOWN_FRAMING,
    /** The frame names a schema that nobody registered. */
    UNKNOWN_SCHEMA,
    /** The schema has no such field, or one of a type that cannot be used. */
    INCOMPATIBLE_SCHEMA,
    /** The bytes end before the record does. */
    TRUNCATED,
    /** Bytes follow the record. */
    TRAILING_BYTES,
    /** A value that the schema does not allow: a union branch or enum symbol there is not. */
    INVALID_VALUE,
    /** Nested too deeply, or more items than the bytes can hold. */
    LIMIT_EXCEEDED,
    /** The record has no label. */
    MISSING_LABEL,
    /** The objective does not allow the label. */
    BAD_LABEL,
    /** The weight is not finite and above 0. */
    BAD_WEIGHT,
    /** A continuous anchor is missing, or no finite number. */
    BAD_ANCHOR;

    /** Whether a record can be at fault; else its label or row is. */
    public boolean isOfRecords() {
      return compareTo(LIMIT_EXCEEDED) <= 0;
    }
  }

  public MalformedRecordException(Reason reason, String message) {
    // No stack trace: thousands a second may be thrown, and each says all in its message.
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
