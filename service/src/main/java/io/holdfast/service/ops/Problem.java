package io.holdfast.service.ops;

import io.micronaut.serde.annotation.Serdeable;

/**
 * An error as RFC 9457 writes it.
 *
 * @param title the status in words
 * @param status the HTTP status
 * @param detail one sentence: what is wrong, and what would be right
 */
@Serdeable
public record Problem(String type, String title, int status, String detail) {
  public static final String MEDIA_TYPE = "application/problem+json";

  /** A problem that its status and detail say all of. */
  public static Problem of(String title, int status, String detail) {
    return new Problem("about:blank", title, status, detail);
  }
}
