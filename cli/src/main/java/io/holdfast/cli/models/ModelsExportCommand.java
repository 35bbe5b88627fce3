package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast models export}. */
@Command(
    name = "export",
    description = "Writes a version to a model file, for score, explain, refit and models import.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models export bikes@12 --out bikes-12.hf",
      "",
      "The file holds the version as it stands on the topic, hash and all: its scores have the same",
      "bits as those of the service.",
    })
final class ModelsExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "MODEL[@VERSION]",
      converter = VersionName.Reader.class,
      description = "The version (default: the one that serves).")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where to write the model file.")
  private OutputFile out;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    ModelTopic topic = ModelTopic.read(config.settings());
    LedgerVersion version = name.verified(topic);
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
    Console console = Console.of(spec);
    if (json) {
      ObjectNode node = Json.object();
      node.put("model", version.manifest().getModel());
      node.put("version", version.number());
      node.put("hash", version.hash().hex());
      node.put("trees", version.model().trees());
      node.put("file", out.toString());
      node.put("bytes", bytes);
      console.json(node);
    } else {
      console.line(
          "%s holds version %d of %s: %d trees, %d bytes, hash %s.",
          out,
          version.number(),
          version.manifest().getModel(),
          version.model().trees(),
          bytes,
          version.hash());
    }
    return ExitCode.OK;
  }
}
