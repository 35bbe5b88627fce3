package io.holdfast.cli.models;

import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.log.Broker;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.trainer.rebuild.Rebuild;
import io.holdfast.trainer.runtime.KafkaClients;
import io.holdfast.trainer.runtime.Rebuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "rebuild",
    description = "Trains versions again from their parents and the log and compares the hashes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models rebuild bikes@12",
      "  holdfast models rebuild bikes --from 1 --to 50 --json",
      "",
      "Reads the examples that each version's manifest names, trains its parent on them by the"
          + " settings",
      "that it records, and writes nothing. Exit code 1 if a version comes out with another hash"
          + " than",
      "it has on the topic, or not at all; the sentences below it say what differs.",
    })
final class ModelsRebuildCommand extends BaseCommand {
  private static final int HEX_SHOWN = 12;

  @Parameters(
      paramLabel = "MODEL[@VERSION]",
      description = "The version, or the model with --from and --to.")
  private VersionName name;

  @Option(names = "--from", paramLabel = "VERSION", description = "The first version.")
  private @Nullable Long from;

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description = "The last version (default: the newest).")
  private @Nullable Long to;

  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    if ((name.version() == null) == (from == null)) {
      throw CommandException.usage(
          "name one version, such as %s@12, or a first one with --from", name.model());
    }
    Settings settings = config.settings();
    ModelSettings model = settings.model(name.model());
    Broker.require(
        settings.kafka(), List.of(settings.topics().models(), model.topics().examples()));
    List<Rebuild.Result> results = new ArrayList<>();
    try (var kafka = new KafkaClients(settings);
        var rebuilder = new Rebuilder(model, kafka)) {
      SortedSet<Long> versions = chosen(rebuilder.versions());
      try (Progress progress = Progress.of("Rebuilding", versions.size())) {
        for (long version : versions) {
          results.add(rebuilder.rebuild(version));
          progress.step();
        }
      }
    } catch (LedgerException e) {
      throw CommandException.failed("%s", e.getMessage());
    }
    boolean same = results.stream().allMatch(Rebuild.Result::same);
    output.print(new Rebuilt(model.name(), same, results), ModelsRebuildCommand::print);
    exitCode = same ? ExitCode.OK : ExitCode.FAILED;
  }

  private record Rebuilt(String model, boolean same, List<Rebuild.Result> versions) {}

  private SortedSet<Long> chosen(SortedSet<Long> present) {
    Long only = name.version();
    long first = only == null && from != null ? from : only == null ? 0 : only;
    long last = only != null ? only : to == null ? Long.MAX_VALUE - 1 : to;
    SortedSet<Long> chosen =
        first > last ? present.headSet(Long.MIN_VALUE) : present.subSet(first, last + 1);
    if (chosen.isEmpty()) {
      throw CommandException.failed(
          "the model topic has no such version of %s: it has %s",
          name.model(), present.isEmpty() ? "none" : present.first() + " to " + present.last());
    }
    return chosen;
  }

  private static void print(Console console, Rebuilt rebuilt) {
    List<Rebuild.Result> results = rebuilt.versions();
    Table table = new Table("version", "hash", "rebuilt", "same");
    for (Rebuild.Result result : results) {
      Digest hash = result.rebuilt();
      table.line(
          result.version(),
          shortened(result.stored()),
          hash == null ? "none" : shortened(hash),
          result.same() ? "yes" : "NO");
    }
    console.text(table.toString());
    long differing = results.stream().filter(result -> !result.same()).count();
    for (Rebuild.Result result : results) {
      if (!result.same()) {
        console.line("%nVersion %d:", result.version());
        result.differences().forEach(sentence -> console.line("  %s", sentence));
      }
    }
    if (differing == 0) {
      console.line("All %d came out with the hashes that they have on the topic.", results.size());
    } else {
      console.line(
          "%n%d of %d versions did not come out as they are on the topic.",
          differing, results.size());
    }
  }

  private static String shortened(Digest digest) {
    return digest.hex().substring(0, HEX_SHOWN);
  }
}
