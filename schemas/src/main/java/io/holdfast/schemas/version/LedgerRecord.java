package io.holdfast.schemas.version;

import org.jspecify.annotations.Nullable;

/**
 * One record of the model topic, ready to send; a null value is a tombstone.
 *
 * @param value Avro binary encoding with single-object framing
 */
public record LedgerRecord(LedgerKey key, byte @Nullable [] value) {}
