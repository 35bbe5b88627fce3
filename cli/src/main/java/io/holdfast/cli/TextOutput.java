package io.holdfast.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command's lines go: standard output, or the file that {@code --out} names. */
final class TextOutput {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write (default: standard output).")
  private @Nullable Path out;

  /**
   * Has the lines written.
   *
   * @throws IOException if the file cannot be opened
   * @throws CommandException if it can, but not all of it could be written
   */
  void write(Console console, Consumer<PrintWriter> lines) throws IOException {
    if (out == null) {
      lines.accept(console.out());
      return;
    }
    try (var writer = new PrintWriter(Files.newBufferedWriter(out, StandardCharsets.UTF_8))) {
      lines.accept(writer);
      if (writer.checkError()) {
        throw CommandException.failed("%s could not be written: is the disk full?", out);
      }
    }
  }
}
