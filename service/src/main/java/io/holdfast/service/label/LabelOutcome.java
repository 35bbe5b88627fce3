package io.holdfast.service.label;

/** What became of a label. */
public enum LabelOutcome {
  /** It made an example. */
  USED,
  /** A record that carries its label had none yet. */
  ABSENT,
  /** It, or the record it belongs to, could not be read or holds a value that is not allowed. */
  MALFORMED,
  /** It has no key, so it belongs to no record. */
  NO_KEY,
  /** It came when its record had waited as long as it may. */
  LATE,
  /** Its record has, or is about to have, another label. */
  DUPLICATE,
  /** No record with its key came while it waited. */
  ORPHAN,
  /** Its record came and was never scored: the record is a dead letter itself. */
  UNSCORED
}
