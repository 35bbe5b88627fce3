package io.holdfast.cli.exchange;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description = "Makes a model file of a model of LightGBM or XGBoost.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast import model.txt --out bought.hf",
      "  holdfast import model.ubj --out bought.hf --label bought --json",
      "",
      "LightGBM's text (v2 to v4) and XGBoost's JSON and UBJ (1 to 3) are known by their content.",
      "holdfast score with the model file predicts what the other program does; categories go in",
      "as text where the file has their names, as whole numbers else.",
    })
public final class ImportCommand extends BaseCommand {

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

  @Option(
      names = "--classes",
      split = ",",
      paramLabel = "A,B,...",
      description = "Names for its classes, in their order (default: those in the file, if any).")
  private List<String> classes = new ArrayList<>();

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() throws IOException {
    if (!Files.isRegularFile(file)) {
      throw CommandException.failed("there is no model %s to import", file);
    }
    out.check();
    ImportedVersion imported = ImportedVersion.of(file, label, classes);
    LedgerVersion version =
        OfflineModel.write(out, List.of(), imported.encoded(), "holdfast import");
    Model model = version.model();
    long categorical =
        model.features().stream().filter(Feature.Categorical.class::isInstance).count();
    console().notes(imported.notes());
    output.print(
        new Imported(
            imported.program(),
            model.objective().name(),
            model.trees(),
            model.features().size(),
            categorical,
            version.classes().names(),
            version.hash(),
            out,
            imported.notes()),
        (console, made) ->
            console.line(
                "%s holds the model of %s: %d trees for objective %s on %d features, %d of them"
                    + " categorical, hash %s.",
                made.file(),
                made.program(),
                made.trees(),
                made.objective(),
                made.features(),
                made.categoricalFeatures(),
                made.hash()));
  }

  private record Imported(
      String program,
      String objective,
      int trees,
      int features,
      long categoricalFeatures,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> classes,
      Digest hash,
      OutputFile file,
      List<String> notes) {}
}
