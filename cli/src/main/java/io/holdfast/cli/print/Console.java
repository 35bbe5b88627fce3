package io.holdfast.cli.print;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Where a command writes: its result, and what it says meanwhile.
 *
 * @param quiet whether notes are not wanted
 */
public record Console(PrintWriter out, PrintWriter err, boolean quiet) {

  /** That of a command, which is quiet if all of them are told to be. */
  public static Console of(CommandSpec spec) {
    OptionSpec quiet = spec.root().findOption(QUIET);
    return new Console(
        spec.commandLine().getOut(),
        spec.commandLine().getErr(),
        quiet != null && Boolean.TRUE.equals(quiet.getValue()));
  }

  /** The same, with results elsewhere. */
  public Console to(PrintWriter other) {
    return new Console(other, err, quiet);
  }

  /** The flag of all commands. */
  public static final String QUIET = "--quiet";

  @FormatMethod
  public void line(@FormatString String text, @Nullable Object... arguments) {
    out.println(String.format(Locale.ROOT, text, arguments));
    out.flush();
  }

  public void note(String note) {
    notes(List.of(note));
  }

  public void notes(List<String> notes) {
    if (quiet) {
      return;
    }
    notes.forEach(note -> err.println("note: " + note));
    err.flush();
  }

  /** Prints what has its own line ends, such as a table. */
  public void text(String text) {
    out.print(text);
    out.flush();
  }

  public void json(Object result) {
    out.println(Json.pretty(result));
    out.flush();
  }
}
