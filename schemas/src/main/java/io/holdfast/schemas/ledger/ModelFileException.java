package io.holdfast.schemas.ledger;

import java.io.IOException;

/** A model file that cannot be read, and why, in one sentence. */
public final class ModelFileException extends IOException {
  private static final long serialVersionUID = 1;

  ModelFileException(String message) {
    super(message);
  }

  ModelFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
