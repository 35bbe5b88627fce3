package io.holdfast.cli.exchange;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast import}. */
@Command(
    name = "import",
    description = "Makes a model file of a model of LightGBM or XGBoost.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast import model.txt --out bought.hf",
      "  holdfast import model.ubj --out bought.hf --label bought --json",
      "",
      "LightGBM's text (v2 to v4) and XGBoost's JSON and UBJ (1 to 3) are known by their content.",
      "holdfast score with the model file predicts what the other program does; categories go in",
      "as text where the file has their names, as whole numbers else.",
    })
public final class ImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The other program's model.")
  private Path file;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where to write the model file.")
  private OutputFile out;

  @Option(
      names = "--label",
      defaultValue = ImportedVersion.LABEL,
      paramLabel = "COLUMN",
      description = "The column that it predicts, for refit (default: ${DEFAULT-VALUE}).")
  private String label;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (!Files.isRegularFile(file)) {
      throw CommandException.failed("there is no model %s to import", file);
    }
    out.check();
    ImportedVersion imported = ImportedVersion.of(file, ImportedVersion.NAME, label);
    OfflineModel.write(out, imported.encoded(), "holdfast import");
    LedgerVersion version = imported.encoded().version();
    Model model = version.model();
    long categorical =
        model.features().stream().filter(Feature.Categorical.class::isInstance).count();
    Console console = Console.of(spec);
    console.notes(imported.notes());
    if (json) {
      console.json(
          new Imported(
              imported.program(),
              model.objective().name(),
              model.trees(),
              model.features().size(),
              categorical,
              version.hash().hex(),
              out.toString(),
              imported.notes()));
    } else {
      console.line(
          "%s holds the model of %s: %d trees for objective %s on %d features, %d of them"
              + " categorical, hash %s.",
          out,
          imported.program(),
          model.trees(),
          model.objective().name(),
          model.features().size(),
          categorical,
          version.hash());
    }
    return ExitCode.OK;
  }

  /** What was written, and what is otherwise than in the other program. */
  private record Imported(
      String program,
      String objective,
      int trees,
      int features,
      long categoricalFeatures,
      String hash,
      String file,
      List<String> notes) {}
}
