package io.holdfast.cli.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.file.OutputFile;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a result goes: to a page, to JSON, or to people. */
public final class ResultOptions {
  private static final String STANDARD_OUTPUT = "/dev/stdout";

  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = STANDARD_OUTPUT,
      paramLabel = "OUT",
      description = "Print the result as JSON, or write it to a file.")
  private @Nullable OutputFile json;

  @Option(
      names = "--report",
      paramLabel = "OUT.html",
      description = "Write a page with the verdict and curves; it needs nothing beside itself.")
  private @Nullable OutputFile report;

  /** Whether standard output is for JSON alone. */
  public boolean printsJson() {
    return json != null && json.toString().equals(STANDARD_OUTPUT);
  }

  /**
   * Writes the files that were asked for; whether JSON was printed, so that nothing else may be.
   */
  public <R> boolean write(R result, Function<ObjectNode, String> page, Console console) {
    if (report != null) {
      report.writeText(page.apply(Json.tree(result)));
    }
    if (printsJson()) {
      console.json(result);
      return true;
    }
    if (json != null) {
      json.writeText(Json.pretty(result) + "\n");
    }
    return false;
  }
}
