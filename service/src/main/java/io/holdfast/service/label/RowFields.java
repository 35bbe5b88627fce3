package io.holdfast.service.label;

import org.jspecify.annotations.Nullable;

/**
 * What a message says of its row beside the features; null where it says nothing.
 *
 * @param environment the environment; numbers in their shortest decimal form
 */
public record RowFields(
    @Nullable Double label, @Nullable String environment, @Nullable Double weight) {}
