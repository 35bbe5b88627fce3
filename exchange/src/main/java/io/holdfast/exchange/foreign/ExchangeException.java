package io.holdfast.exchange.foreign;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import org.jspecify.annotations.Nullable;

/** Why a model cannot be read, or not be written in a format: one sentence for the user. */
public final class ExchangeException extends Exception {
  private static final long serialVersionUID = 1;

  private ExchangeException(String message) {
    super(message);
  }

  /** The sentence, as {@link Sentence#of} makes it. */
  @FormatMethod
  public static ExchangeException of(@FormatString String format, @Nullable Object... arguments) {
    return new ExchangeException(Sentence.of(format, arguments));
  }

  /** Fails with the sentence unless the condition holds. */
  @FormatMethod
  public static void require(
      boolean condition, @FormatString String format, @Nullable Object... arguments)
      throws ExchangeException {
    if (!condition) {
      throw of(format, arguments);
    }
  }
}
