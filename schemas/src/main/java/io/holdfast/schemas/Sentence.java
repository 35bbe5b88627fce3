package io.holdfast.schemas;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Messages for users, formatted the same on every machine. Stateless. */
public final class Sentence {
  private Sentence() {}

  /** {@code format} with its arguments, in no country's fashion. */
  @FormatMethod
  public static String of(@FormatString String format, @Nullable Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
