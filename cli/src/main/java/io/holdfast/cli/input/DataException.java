package io.holdfast.cli.input;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is wrong with a file of rows, in one sentence that names the file and, if any, the line. */
public final class DataException extends RuntimeException {
  private static final long serialVersionUID = 1;

  @FormatMethod
  public DataException(@FormatString String message, @Nullable Object... arguments) {
    super(String.format(Locale.ROOT, message, arguments));
  }

  public DataException because(Throwable cause) {
    initCause(cause);
    return this;
  }
}
