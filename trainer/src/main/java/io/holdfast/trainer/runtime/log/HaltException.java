package io.holdfast.trainer.runtime.log;

import io.holdfast.schemas.trouble.TroubleKind;

/** Why a model cannot be trained until somebody mends it, in one sentence for the user. */
public final class HaltException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final TroubleKind kind;

  public HaltException(TroubleKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** The trouble that the model is in. */
  public TroubleKind kind() {
    return kind;
  }
}
