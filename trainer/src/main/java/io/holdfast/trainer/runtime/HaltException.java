package io.holdfast.trainer.runtime;

import io.holdfast.schemas.trouble.TroubleKind;

/** Why a model cannot be trained until somebody mends it, in one sentence for the user. */
final class HaltException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final TroubleKind kind;

  HaltException(TroubleKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** The trouble that the model is in. */
  TroubleKind kind() {
    return kind;
  }
}
