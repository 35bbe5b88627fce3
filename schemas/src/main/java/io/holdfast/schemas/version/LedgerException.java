package io.holdfast.schemas.version;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import org.jspecify.annotations.Nullable;

/** A version that cannot be verified, said in one sentence. */
public final class LedgerException extends Exception {
  private static final long serialVersionUID = 1;
  private final Reason reason;

  /** Why a version cannot be verified; what rejections are counted by. */
  public enum Reason {
    /** The record's key is none of the model topic. */
    BAD_KEY,
    /** The bytes are nothing that their key names, or contradict themselves or the key. */
    BAD_RECORD,
    /** The bytes do not have the hash that names them. */
    HASH_MISMATCH,
    // What is not there; a head is tried again when it comes.
    MISSING_MANIFEST,
    MISSING_SEGMENT,
    MISSING_BINS,
    MISSING_REFERENCE,
    /** The parent is not there, or is not an older version. */
    BROKEN_CHAIN,
    /** The features are not those of the parent, or not those that the trees need. */
    INCOMPATIBLE_FEATURES,
    /** A change of the head that is not to be made: said to whoever asked for it. */
    REFUSED,
    /** Larger than {@link LedgerLimits} allow. */
    LIMIT_EXCEEDED;

    /** Whether a record that is yet to come may heal it. */
    public boolean mayHeal() {
      return switch (this) {
        case MISSING_MANIFEST,
            MISSING_SEGMENT,
            MISSING_BINS,
            MISSING_REFERENCE,
            HASH_MISMATCH,
            BROKEN_CHAIN ->
            true;
        case BAD_KEY, BAD_RECORD, INCOMPATIBLE_FEATURES, REFUSED, LIMIT_EXCEEDED -> false;
      };
    }

    /** The exception, in one sentence. */
    @FormatMethod
    public LedgerException because(@FormatString String sentence, @Nullable Object... arguments) {
      return new LedgerException(this, Sentence.of(sentence, arguments));
    }
  }

  public LedgerException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
