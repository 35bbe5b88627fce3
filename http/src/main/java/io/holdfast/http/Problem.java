package io.holdfast.http;

import io.micronaut.serde.annotation.Serdeable;

/** An error as RFC 9457 writes it; {@code detail} says what is wrong, and what would be right. */
@Serdeable
public record Problem(String type, String title, int status, String detail) {
  public static final String MEDIA_TYPE = "application/problem+json";

  static Problem of(ProblemKind kind, String detail) {
    return new Problem(kind.type(), kind.title(), kind.status().getCode(), detail);
  }
}
