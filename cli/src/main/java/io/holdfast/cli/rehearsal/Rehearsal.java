package io.holdfast.cli.rehearsal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.cli.Holdfast;
import io.holdfast.cli.options.Logging;
import io.holdfast.schemas.file.OutputSink;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Commands on files in one JVM, from which the launcher makes their class cache: what the JVM has
 * loaded, linked and counted here, it need not at a later start.
 */
final class Rehearsal {
  private Rehearsal() {}

  /** Takes a data file, the name of its label, and a folder to write into. */
  public static void main(String[] arguments) throws IOException {
    Logging.configure();
    String data = arguments[0];
    String label = arguments[1];
    Path folder = Path.of(arguments[2]);
    String model = folder.resolve("model").toString();
    String scores = folder.resolve("scores.csv").toString();
    for (List<String> command :
        List.of(
            List.of(
                "fit", "--data", data, "--label", label, "--objective", "squared", "--out", model),
            List.of("score", data, "--model", model, "--out", scores),
            List.of("score", data, "--model", model, "--json"),
            List.of("explain", data, "--model", model))) {
      try (var nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, UTF_8)) {
        int exitCode =
            Holdfast.run(
                command.toArray(String[]::new),
                OutputSink.standardOutput(OutputStream.nullOutputStream()),
                nowhere);
        if (exitCode != 0) {
          System.exit(exitCode);
        }
      }
    }
    Files.delete(Path.of(model));
    Files.delete(Path.of(scores));
  }
}
