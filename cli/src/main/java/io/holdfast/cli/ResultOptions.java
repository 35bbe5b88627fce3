package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.data.DataException;
import io.holdfast.cli.print.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a result goes: to a page, to JSON, or to people. */
final class ResultOptions {
  private static final String STANDARD_OUTPUT = "";

  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = STANDARD_OUTPUT,
      paramLabel = "OUT",
      description = "Print the result as JSON, or write it to a file.")
  private @Nullable String json;

  @Option(
      names = "--report",
      paramLabel = "OUT.html",
      description = "Write a page with the curves; it needs nothing beside itself.")
  private @Nullable Path report;

  /** Whether standard output is for JSON alone. */
  boolean printsJson() {
    return STANDARD_OUTPUT.equals(json);
  }

  /**
   * Writes the files that were asked for, and JSON if it is to be printed.
   *
   * @return whether it was printed, so that nothing else may be
   * @throws DataException naming a file that cannot be written
   */
  boolean write(ObjectNode result, Function<ObjectNode, String> page, Console console) {
    if (report != null) {
      write(report, page.apply(result));
    }
    if (printsJson()) {
      console.json(result);
      return true;
    }
    if (json != null) {
      write(Path.of(json), Json.pretty(result) + "\n");
    }
    return false;
  }

  private static void write(Path target, String text) {
    try {
      Files.writeString(target, text);
    } catch (IOException e) {
      throw new DataException("%s cannot be written: %s", target, e);
    }
  }
}
