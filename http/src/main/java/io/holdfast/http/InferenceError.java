package io.holdfast.http;

import io.micronaut.serde.annotation.Serdeable;

/** An error as the Open Inference Protocol writes it. */
@Serdeable
public record InferenceError(String error) {}
