package io.holdfast.service.join;

import org.jspecify.annotations.Nullable;

/** What the join holds in its store until the rest comes or its time is over. Immutable. */
@SuppressWarnings("ArrayRecordComponent") // never compared
sealed interface Held {

  /** The stream time, in milliseconds, after which it is no longer valid. */
  long expiresAt();

  /** By key: a record that has no label yet, with its score if that has come. */
  record Waiting(long expiresAt, Message record, byte @Nullable [] score) implements Held {}

  /** By key: a label that came before its record. */
  record EarlyLabel(long expiresAt, Message label) implements Held {}

  /** By key: its record has its label; another one is a duplicate. */
  record Labelled(long expiresAt) implements Held {}

  /** By key: its record waited as long as it may; a label is late. */
  record Missed(long expiresAt) implements Held {}

  /** By record offset: record and label have met, the score has not come. */
  record Unscored(long expiresAt, byte[] key, Message record, Message label) implements Held {}

  /** By record offset: a score that was read before its record. */
  record EarlyScore(long expiresAt, byte[] score) implements Held {}
}
