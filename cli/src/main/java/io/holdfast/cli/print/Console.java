package io.holdfast.cli.print;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where a command writes: its result, and what it says meanwhile. */
public record Console(PrintWriter out, PrintWriter err) {

  public static Console of(CommandSpec spec) {
    return new Console(spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  @FormatMethod
  public void line(@FormatString String text, @Nullable Object... arguments) {
    out.println(String.format(Locale.ROOT, text, arguments));
    out.flush();
  }

  public void note(String note) {
    notes(List.of(note));
  }

  public void notes(List<String> notes) {
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
