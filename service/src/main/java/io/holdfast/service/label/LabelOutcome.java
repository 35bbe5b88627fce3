package io.holdfast.service.label;

/** What became of a label. */
public enum LabelOutcome {
  /** It made an example. */
  USED,
  /** A record that carries its label had none yet. */
  ABSENT,
  /** It, or the record it belongs to, could not be read or holds a value that is not allowed. */
  MALFORMED,
  /** It has no key, or no correlation id, so it belongs to no record. */
  NO_KEY,
  /** Its time is too long after its record's, or it came when its record had been given up. */
  LATE,
  /** Its record has another label. */
  DUPLICATE,
  /** No record of its key or correlation id came while it waited. */
  ORPHAN,
  /** Its record was never scored: the record is a dead letter itself. */
  UNSCORED
}
