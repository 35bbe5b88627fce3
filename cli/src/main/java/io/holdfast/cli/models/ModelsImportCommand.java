package io.holdfast.cli.models;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.cli.exchange.ImportedVersion;
import io.holdfast.cli.ledger.KnownFramings;
import io.holdfast.cli.ledger.VersionImport;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.avro.Schema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description = "Publishes the version of a model file as the model's next version.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models import bikes --file bikes.hf --why \"fitted to five years of history\"",
      "",
      "The file is one of fit, refit, import or models export, or a model of LightGBM or XGBoost"
          + " as",
      "holdfast import takes it. The version's parent is the one that training",
      "grows from; a model without versions gets it as version 0. It must have the features of its",
      "parent, and its scores keep their bits.",
    })
final class ModelsImportCommand extends BaseCommand {
  @Parameters(paramLabel = "MODEL", description = "The model, as the configuration names it.")
  private VersionName name;

  @Option(names = "--file", required = true, paramLabel = "FILE", description = "The model file.")
  private Path file;

  @Mixin private HeadOptions head = new HeadOptions();

  @Override
  protected void run() throws IOException {
    Settings settings = head.settings();
    ModelSettings model = settings.model(name.alone());
    LedgerVersion made = ImportedVersion.read(file);
    Optional<Schema> schema;
    try (SchemaTopic schemas = KnownFramings.schemas(settings, model)) {
      schema = schemas.latest(model.topics().records());
    }
    HeadRules.Author author = head.author();
    VersionImport.Published published =
        HeadOptions.written(
            () -> VersionImport.publish(settings, model, made, schema, author, head.dryRun()));
    head.print(
        new Imported(
            model.name(),
            HeadState.of(published.head()),
            published.version().number(),
            published.version().model().trees(),
            published.records(),
            published.bytes(),
            head.dryRun()),
        (console, imported) -> {
          console.line(
              "%s version %d of %s: %d trees in %d records of %d bytes together, hash %s.",
              imported.dryRun() ? "Would publish, and did not," : "Published",
              imported.published(),
              imported.model(),
              imported.trees(),
              imported.records(),
              imported.bytes(),
              published.version().hash());
          if (!imported.dryRun()) {
            console.line("%s", HeadOptions.said(published.head()));
          }
          if (imported.trees() > model.update().maxTrees()) {
            console.line(
                "It has more trees than update.maxTrees, which is %d: the next window would drop"
                    + " its oldest, so raise that first if they are to stay.",
                model.update().maxTrees());
          }
          if (schema.isEmpty()) {
            console.line(
                "No schema of %s is known, so whether it can read the records was not checked.",
                model.topics().records());
          }
        });
  }

  private record Imported(
      String model,
      @JsonUnwrapped HeadState head,
      long published,
      int trees,
      int records,
      long bytes,
      boolean dryRun) {}
}
