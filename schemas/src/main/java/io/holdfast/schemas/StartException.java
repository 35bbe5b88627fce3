package io.holdfast.schemas;

import java.util.List;

/** Why a server cannot start, in sentences for the user, one a line. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartException(List<String> problems) {
    super(String.join("\n", problems));
  }

  /** Of a server whose port could not be opened; {@code role} is as in the settings' keys. */
  public static StartException ofPort(String role, String host, int port, Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new StartException(
        List.of(
            Sentence.of(
                "port %d of %s cannot be opened (%s): set holdfast.%s.port to a free one, or 0 for"
                    + " any",
                port, host, root.getMessage(), role)));
  }
}
