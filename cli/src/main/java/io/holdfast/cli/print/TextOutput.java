package io.holdfast.cli.print;

import io.holdfast.schemas.file.OutputFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command's lines go: standard output, or the file that {@code --out} names. */
public final class TextOutput {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write (default: standard output).")
  private @Nullable OutputFile out;

  public void write(Console console, Consumer<PrintWriter> lines) throws IOException {
    if (out == null || out.isStandardOutput()) {
      lines.accept(console.out());
      return;
    }
    out.write(
        bytes -> {
          var writer = new PrintWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8));
          lines.accept(writer);
          writer.flush();
        });
  }
}
