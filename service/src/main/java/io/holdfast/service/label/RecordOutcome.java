package io.holdfast.service.label;

/** Why a scored record makes no example. */
public enum RecordOutcome {
  /** No label came while it waited. */
  UNLABELLED,
  /** No label came while it waited, and a newer record of its id did. */
  SUPERSEDED,
  /** It has no key, or no correlation id where the configuration names one. */
  NO_KEY,
  /** Its label came, and what the record itself says of the row cannot be used. */
  UNUSABLE
}
