package io.holdfast.schemas.wire;

/** Bytes that are no record of a known schema; {@link #reason} is what dead letters count by. */
public final class MalformedRecordException extends Exception {
  private static final long serialVersionUID = 1;
  private final Reason reason;

  /** Why a record cannot be used. */
  public enum Reason {
    NO_VALUE,
    UNKNOWN_FRAMING,
    UNKNOWN_SCHEMA,
    INCOMPATIBLE_SCHEMA,
    TRUNCATED,
    TRAILING_BYTES,
    LIMIT_EXCEEDED,
    MISSING_LABEL,
    BAD_LABEL,
    BAD_WEIGHT
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
