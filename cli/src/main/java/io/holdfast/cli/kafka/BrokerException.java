package io.holdfast.cli.kafka;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;

/** Why the embedded broker could not start, in one sentence for the user. */
public final class BrokerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  @FormatMethod
  BrokerException(@FormatString String message, Object... arguments) {
    super(String.format(Locale.ROOT, message, arguments));
  }

  BrokerException because(Throwable cause) {
    initCause(cause);
    return this;
  }
}
