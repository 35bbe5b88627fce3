package io.holdfast.trainer.runtime;

/** Why a model cannot be trained until somebody mends it, in one sentence for the user. */
final class HaltException extends RuntimeException {
  private static final long serialVersionUID = 1;

  HaltException(String message) {
    super(message);
  }
}
