package io.holdfast.service.rest;

/** A mistake in a request, said in one sentence for the user. */
final class BadRequestException extends Exception {
  private static final long serialVersionUID = 1;

  BadRequestException(String message) {
    super(message, null, false, false);
  }
}
