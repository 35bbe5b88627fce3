package io.holdfast.boosting.numeric;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;

/** Argument checks whose message names the thing, the bound and the value. */
public final class Check {
  private Check() {}

  /**
   * Throws unless {@code condition} holds. Write the condition so that NaN fails it.
   *
   * @throws IllegalArgumentException with {@code message} formatted by {@code arguments}
   */
  @FormatMethod
  public static void that(boolean condition, @FormatString String message, Object... arguments) {
    if (!condition) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, message, arguments));
    }
  }
}
