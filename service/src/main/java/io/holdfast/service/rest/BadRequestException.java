package io.holdfast.service.rest;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;

/** A mistake in a request, said in one sentence for the user. */
final class BadRequestException extends HttpStatusException {
  private static final long serialVersionUID = 1;

  BadRequestException(String message) {
    super(HttpStatus.BAD_REQUEST, message);
  }

  /** A record may be tried by many schemas: where it was refused is of no interest. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
