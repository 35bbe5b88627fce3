package io.holdfast.service.join;

/** Why a record makes no example. It was scored, or is a dead letter, all the same. */
enum RecordOutcome {
  /** No label came while it waited. */
  UNLABELLED,
  /** A newer record of the same key took its place before its label came. */
  SUPERSEDED,
  /** It has no key, so no label can name it. */
  NO_KEY
}
