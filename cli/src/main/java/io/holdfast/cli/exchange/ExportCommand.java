package io.holdfast.cli.exchange;

import io.holdfast.boosting.model.Model;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.exchange.ModelExport;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "export",
    description = "Writes a model for another program.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast export --model bought.hf --to lightgbm --out bought.txt",
      "  holdfast export --model bought.hf --to json --out bought.json",
      "",
      "The model is one that serves in a file of fit, refit, import or models export. Where the"
          + " other",
      "program cannot say all of it, a note says what is otherwise, or the command fails.",
    })
public final class ExportCommand extends BaseCommand {

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

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() throws IOException {
    LedgerVersion version = OfflineModel.read(model);
    Model exported = version.model();
    ExportedModel written;
    try {
      written = ModelExport.of(exported, version.classes().names(), format);
    } catch (ExchangeException e) {
      throw CommandException.failed("%s: %s", model, e.getMessage());
    }
    long bytes = out.write(stream -> stream.write(written.bytes()));
    String name = format.name().toLowerCase(Locale.ROOT);
    List<String> notes = new ArrayList<>(written.notes());
    if (version.calibration() != null) {
      notes.add("probabilities are written as they are before the version corrects them");
    }
    console().notes(notes);
    output.print(
        new Written(name, exported.trees(), out, bytes, notes),
        (console, made) ->
            console.line(
                "%s holds the model as %s: %d trees, %d bytes.",
                made.file(), made.format(), made.trees(), made.bytes()));
  }

  private record Written(
      String format, int trees, OutputFile file, long bytes, List<String> notes) {}
}
