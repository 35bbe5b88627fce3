package io.holdfast.cli.models;

import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "export",
    description = "Writes a version to a model file, for score, explain, refit and models import.",
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models export bikes@12 --out bikes-12.hf",
      "",
      "The file holds the version as it stands on the topic, hash and all: its scores have the"
          + " same",
      "bits as those of the service.",
    })
final class ModelsExportCommand extends BaseCommand {
  @Parameters(
      paramLabel = "MODEL[@VERSION]",
      description = "The version (default: the one that serves).")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where to write the model file.")
  private OutputFile out;

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() throws IOException {
    ModelTopic topic = ModelTopic.read(config.settings());
    LedgerVersion version = topic.version(name.model(), name.number(topic));
    List<LedgerRecord> records = new ArrayList<>(topic.records(version));
    records.add(
        LedgerCodec.encode(
            LedgerCodec.head(
                version,
                HeadReason.TRAINED,
                "holdfast models export",
                "",
                topic.publishedAt(version.manifest()))));
    long bytes = ModelFile.write(out, records);
    output.print(
        new Exported(
            version.manifest().getModel(),
            version.number(),
            version.hash(),
            version.model().trees(),
            out,
            bytes),
        (console, made) ->
            console.line(
                "%s holds version %d of %s: %d trees, %d bytes, hash %s.",
                made.file(),
                made.version(),
                made.model(),
                made.trees(),
                made.bytes(),
                made.hash()));
  }

  private record Exported(
      String model, long version, Digest hash, int trees, OutputFile file, long bytes) {}
}
