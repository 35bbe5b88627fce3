package io.holdfast.schemas.version;

/** A version that cannot be verified, said in one sentence. */
public final class LedgerException extends Exception {
  private static final long serialVersionUID = 1;
  private final Reason reason;

  /** Why a version cannot be verified; what rejections are counted by. */
  public enum Reason {
    /** The record's key is none of the model topic. */
    BAD_KEY,
    /**
     * The bytes are no segment, bins, reference, manifest or head, or contradict themselves or
     * their key.
     */
    BAD_RECORD,
    /** The bytes do not have the hash that names them. */
    HASH_MISMATCH,
    /** The manifest is not there; a head is tried again when it comes. */
    MISSING_MANIFEST,
    /** A segment is not there; a head is tried again when it comes. */
    MISSING_SEGMENT,
    /** The bins are not there; a head is tried again when they come. */
    MISSING_BINS,
    /** The training reference is not there; a head is tried again when it comes. */
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
  }

  public LedgerException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
