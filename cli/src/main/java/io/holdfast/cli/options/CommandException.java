package io.holdfast.cli.options;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why a command failed, in one sentence for the user. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int exitCode;

  private CommandException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The command was asked for something that is not there or makes no sense. */
  @FormatMethod
  public static CommandException usage(
      @FormatString String message, @Nullable Object... arguments) {
    return new CommandException(ExitCode.USAGE, String.format(Locale.ROOT, message, arguments));
  }

  @FormatMethod
  public static void usageIf(
      boolean wrong, @FormatString String message, @Nullable Object... arguments) {
    if (wrong) {
      throw usage(message, arguments);
    }
  }

  /** The command was right and did not succeed. */
  @FormatMethod
  public static CommandException failed(
      @FormatString String message, @Nullable Object... arguments) {
    return new CommandException(ExitCode.FAILED, String.format(Locale.ROOT, message, arguments));
  }

  public static void failIfAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw failed("%s", String.join(System.lineSeparator(), problems));
    }
  }

  int exitCode() {
    return exitCode;
  }
}
