package io.holdfast.trainer.runtime;

/** Why the trainer cannot start, in sentences for the user, one a line. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartException(String message) {
    super(message);
  }
}
