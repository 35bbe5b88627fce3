package io.holdfast.schemas.file;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * An output cannot be written; the message is one sentence for the user. It is unchecked so that it
 * passes through writers that swallow {@link IOException}: a command stops at the first byte that
 * is lost.
 */
public final class OutputException extends UncheckedIOException {
  private static final long serialVersionUID = 1;
  private final boolean closedPipe;

  private OutputException(String message, IOException cause, boolean closedPipe) {
    super(message, cause);
    this.closedPipe = closedPipe;
  }

  @FormatMethod
  static OutputException of(
      IOException cause, @FormatString String format, @Nullable Object... arguments) {
    return new OutputException(Sentence.of(format, arguments), cause, false);
  }

  @FormatMethod
  static OutputException of(@FormatString String format, @Nullable Object... arguments) {
    String message = Sentence.of(format, arguments);
    return new OutputException(message, new IOException(message), false);
  }

  /** Whoever read the pipe has gone. */
  static OutputException closedPipe(String name, IOException cause) {
    return new OutputException(name + " is a pipe that nobody reads any more", cause, true);
  }

  /** Whether the reader of a pipe has gone, as in {@code | head}: nothing to complain about. */
  public boolean closedPipe() {
    return closedPipe;
  }
}
