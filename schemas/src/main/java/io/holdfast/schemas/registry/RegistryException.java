package io.holdfast.schemas.registry;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import org.jspecify.annotations.Nullable;

/** Why a registry gave no schema, in a sentence; {@link #reason} says whether to ask again. */
public final class RegistryException extends Exception {
  private static final long serialVersionUID = 1;
  private final Reason reason;
  private final boolean down;

  /** What came of asking. */
  public enum Reason {
    /** No server gave an answer that can be used: another time one may. */
    UNAVAILABLE,
    /** The registry says that it has no such schema. */
    ABSENT,
    /** The registry has it, and it is no Avro schema of a record: that will not change. */
    UNUSABLE,
    /** The registry does not take the schema. */
    REFUSED;

    @FormatMethod
    RegistryException because(@FormatString String sentence, @Nullable Object... arguments) {
      return new RegistryException(this, Sentence.of(sentence, arguments), false);
    }
  }

  /** A failure; {@code down} says that no server can be asked anything else either. */
  RegistryException(Reason reason, String sentence, boolean down) {
    // No stack trace: it says all in its message, and may be thrown for every record.
    super(sentence, null, false, false);
    this.reason = reason;
    this.down = down;
  }

  boolean down() {
    return down;
  }

  public Reason reason() {
    return reason;
  }
}
