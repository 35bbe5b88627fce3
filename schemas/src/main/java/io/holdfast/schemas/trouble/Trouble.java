package io.holdfast.schemas.trouble;

import java.time.Instant;

/**
 * Something that is wrong with a model now.
 *
 * @param sentence what is wrong, with its figures, and what to do about it
 * @param since when it began
 */
public record Trouble(String model, TroubleKind kind, String sentence, Instant since) {}
