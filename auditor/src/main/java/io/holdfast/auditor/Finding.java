package io.holdfast.auditor;

/**
 * Something that is not as it must be.
 *
 * @param place where: a topic, partition and offset, or a version
 * @param detail a sentence
 */
public record Finding(Kind kind, String place, String detail) {
  /** What may be wrong; the text is the promise that it breaks. */
  public enum Kind {
    /** A record that has neither a score nor a dead letter. */
    RECORD_LOST(Promise.OUTCOMES),
    /** A record that has more than one outcome. */
    RECORD_DOUBLED(Promise.OUTCOMES),
    /** A score or dead letter of a record that never was. */
    OUTCOME_OF_NOTHING(Promise.OUTCOMES),
    /** A score whose key is not the record's. */
    SCORE_KEY(Promise.OUTCOMES),
    /** A score that its record and version do not give. */
    SCORE_DIFFERS(Promise.SCORES),
    /** A score that names a version with another hash, or one that never was. */
    SCORE_VERSION(Promise.SCORES),
    /** A message that cannot be read as what its topic holds. */
    UNREADABLE(Promise.SCORES),
    /** Bytes on the model topic that do not have the hash that names them. */
    HASH(Promise.VERSIONS),
    /** A number that is missing among versions or heads. */
    GAP(Promise.VERSIONS),
    /** A version whose parent is not there, or is another than its hash says. */
    PARENT(Promise.VERSIONS),
    /** A version that was written again with other content. */
    REWRITTEN(Promise.VERSIONS),
    /** A version that learned from examples that an older one had learned from. */
    WINDOW(Promise.VERSIONS),
    /**
     * A version that cannot be walked: a cycle, a child or feature that is not there, a number that
     * is none.
     */
    TREES(Promise.VERSIONS),
    /** A head that named what could not be read when it was written. */
    HEAD(Promise.HEADS),
    /**
     * A version that grew from what was not the tip any more: written by a trainer that had been
     * fenced.
     */
    FENCED(Promise.FENCING),
    /** An example of a record that has one already. */
    EXAMPLE_DOUBLED(Promise.LABELS),
    /** An example of a record that never was, or that holds another record. */
    EXAMPLE_RECORD(Promise.LABELS),
    /** An example that says another score was served than was. */
    EXAMPLE_SERVED(Promise.LABELS),
    /** An example whose label nobody sent for that record. */
    LABEL_UNSENT(Promise.LABELS),
    /** More examples of an id than labels came for it. */
    LABEL_REUSED(Promise.LABELS);

    private final Promise promise;

    Kind(Promise promise) {
      this.promise = promise;
    }

    /** What it breaks. */
    public Promise promise() {
      return promise;
    }
  }

  /** What Holdfast promises of its topics. */
  public enum Promise {
    OUTCOMES("every record has exactly one outcome, a score or a dead letter"),
    SCORES("every score is what its record and its version give, bit for bit"),
    VERSIONS(
        "versions have no gaps, name their parents, hold what their hashes say, and learn from each"
            + " example once"),
    HEADS("a head names only what can be read"),
    FENCING("nothing was published by a trainer that had been fenced"),
    LABELS("each label is used at most once, for its own record, with the score that was served");

    private final String text;

    Promise(String text) {
      this.text = text;
    }

    /** As a sentence without a capital. */
    public String text() {
      return text;
    }
  }
}
