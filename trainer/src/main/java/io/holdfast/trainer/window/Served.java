package io.holdfast.trainer.window;

import io.holdfast.schemas.ledger.Digest;

/**
 * What was answered for a record before its label was known.
 *
 * @param rawScore the raw score
 * @param version the version that gave it
 * @param hash that version's hash
 */
public record Served(double rawScore, long version, Digest hash) {}
