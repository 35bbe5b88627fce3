package io.holdfast.cli.exchange;

import io.holdfast.boosting.model.Model;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.exchange.ModelExport;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.schemas.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast export}. */
@Command(
    name = "export",
    description = "Writes a model for another program.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast export --model bought.hf --to lightgbm --out bought.txt",
      "  holdfast export --model bought.hf --to json --out bought.json",
      "",
      "The model is one that serves in a file of fit, refit, import or models export. Where the other",
      "program cannot say all of it, a note says what is otherwise, or the command fails.",
    })
public final class ExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--model", required = true, paramLabel = "FILE", description = "The model file.")
  private Path model;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      description = "One of ${COMPLETION-CANDIDATES}, in whatever case.")
  private ModelExport.Format format;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where to write the other program's model.")
  private OutputFile out;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Model exported = OfflineModel.read(model).model();
    ModelExport.Exported written;
    try {
      written = ModelExport.of(exported, format);
    } catch (ExchangeException e) {
      throw CommandException.failed("%s: %s", model, e.getMessage());
    }
    long bytes = out.write(stream -> stream.write(written.bytes()));
    String name = format.name().toLowerCase(Locale.ROOT);
    Console console = Console.of(spec);
    console.notes(written.notes());
    if (json) {
      console.json(new Written(name, exported.trees(), out.toString(), bytes, written.notes()));
    } else {
      console.line(
          "%s holds the model as %s: %d trees, %d bytes.", out, name, exported.trees(), bytes);
    }
    return ExitCode.OK;
  }

  /** What was written, and what is otherwise than here. */
  private record Written(String format, int trees, String file, long bytes, List<String> notes) {}
}
