package io.holdfast.cli.models;

import io.holdfast.cli.ledger.KnownFramings;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.cli.stream.PinnedReplay;
import io.holdfast.schemas.log.Broker;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "replay",
    description = "Scores records again by the version on each score and compares the bytes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models replay bikes",
      "  holdfast models replay bikes --from 2026-03-01T00:00:00Z --to 2026-03-02T00:00:00Z --json",
      "",
      "Reads scores and records as they stand on their topics, and versions from the model topic"
          + " by",
      "the number and hash that each score names. Writes nothing. Exit code 1 if a score comes out",
      "otherwise than it was served. Scores whose record or version the topics no longer hold are",
      "counted and not compared.",
    })
final class ModelsReplayCommand extends BaseCommand {
  @Parameters(paramLabel = "MODEL", description = "The model, as the configuration names it.")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Records of this time and later alone, such as 2026-03-01T00:00:00Z.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Records before this time alone.")
  private @Nullable Instant to;

  @Option(names = "--shadow", description = "The scores of the model's shadows instead.")
  private boolean shadow;

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    if (from != null && to != null && !from.isBefore(to)) {
      throw CommandException.usage("--from must be before --to: %s, %s", from, to);
    }
    Settings settings = config.settings();
    ModelSettings model = settings.model(name.alone());
    String scores = shadow ? model.topics().shadowScores() : model.topics().scores();
    Broker.require(settings.kafka(), List.of(scores, model.topics().records()));
    ModelTopic topic = ModelTopic.read(settings);
    topic.require(model.name());
    var span =
        new PinnedReplay.Span(
            from == null ? Long.MIN_VALUE : from.toEpochMilli(),
            to == null ? Long.MAX_VALUE : to.toEpochMilli());
    PinnedReplay.Result result;
    try (SchemaTopic schemas = KnownFramings.schemas(settings, model);
        var framings = new KnownFramings(settings, schemas);
        Progress progress = Progress.of("Replaying", -1)) {
      result =
          new PinnedReplay(settings.kafka(), model, topic, framings.framings())
              .run(scores, Broker.partitions(settings.kafka(), scores), span, progress::step);
    }
    output.print(
        Replayed.of(result), (console, replayed) -> print(console, replayed, result, scores));
    exitCode = result.differing() == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Scores that were made again; of some the topics no longer hold the record or the version. */
  private record Replayed(
      long identical,
      long differing,
      long recordGone,
      long versionGone,
      Map<Long, Long> identicalByVersion,
      List<String> differences) {
    static Replayed of(PinnedReplay.Result result) {
      return new Replayed(
          result.same(),
          result.differing(),
          result.recordGone(),
          result.versionGone().values().stream().mapToLong(Long::longValue).sum(),
          result.identical(),
          result.differences());
    }
  }

  private static void print(
      Console console, Replayed replayed, PinnedReplay.Result result, String scores) {
    Table table = new Table("version", "identical", "not on the topic");
    var versions = new TreeSet<>(result.identical().keySet());
    versions.addAll(result.versionGone().keySet());
    for (long version : versions) {
      table.line(
          version,
          result.identical().getOrDefault(version, 0L),
          result.versionGone().getOrDefault(version, 0L));
    }
    console.text(table.toString());
    console.line(
        "%d scores of %s came out byte for byte as they were served, %d did not.",
        replayed.identical(), scores, replayed.differing());
    if (replayed.recordGone() > 0) {
      console.line("%d were not compared: their records are gone.", replayed.recordGone());
    }
    replayed.differences().forEach(sentence -> console.line("  %s", sentence));
  }
}
