package io.holdfast.trainer.runtime.log;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import org.jspecify.annotations.Nullable;

/** Why a model cannot be trained until somebody fixes it, in one sentence for the user. */
public final class HaltException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final TroubleKind kind;

  @FormatMethod
  public HaltException(
      TroubleKind kind, @FormatString String format, @Nullable Object... arguments) {
    super(Sentence.of(format, arguments));
    this.kind = kind;
  }

  public TroubleKind kind() {
    return kind;
  }
}
