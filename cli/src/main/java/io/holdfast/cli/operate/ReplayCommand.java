package io.holdfast.cli.operate;

import static java.util.Objects.requireNonNullElse;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.EventTimes;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.ModelColumns;
import io.holdfast.cli.learn.ModelColumns.Leniency;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.options.ModelledFile;
import io.holdfast.cli.options.TimeOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.stream.Lead;
import io.holdfast.cli.stream.Pace;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.cli.stream.Replay;
import io.holdfast.cli.stream.ReportTail;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.log.Broker;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "replay",
    description = "Sends the rows of a file to a topic, as a stream of records.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast replay bikes.csv.gz --config holdfast.yml --rate 2000",
      "  holdfast replay bikes.csv.gz --config holdfast.yml --ahead 1500 --label-delay 200",
      "  holdfast replay rows.csv --topic t --bootstrap localhost:9092 --key id",
      "",
      "With --config, topics, environment, categories and whether labels have a topic of their own",
      "are the model's, and so is what each column holds once a version serves. The schema is",
      "inferred (an empty field is null) and registered on the schema topic. History replayed"
          + " faster than the trainer learns is all scored by the first",
      "version: --rate and --ahead keep the stream close to the trainer, whatever the machine.",
    })
public final class ReplayCommand extends BaseCommand {
  private static final int LEAST_AHEAD = 1_000;

  @Parameters(
      paramLabel = "DATA",
      arity = "1..*",
      description = "The rows to send: a file or several, or - for standard input.")
  private List<DataSource> sources;

  @Mixin private ConfigOptions config = new ConfigOptions();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Where records go (default: the model's records topic).")
  private @Nullable String topic;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "The broker (default: that of the configuration, or localhost:9092).")
  private @Nullable String bootstrap;

  @Option(
      names = "--schema-topic",
      paramLabel = "TOPIC",
      description = "Where the schema is registered (default: the configuration's).")
  private @Nullable String schemaTopic;

  @Option(
      names = "--key",
      paramLabel = "COLUMN",
      description = "The column of the records' key (default: the row's number).")
  private @Nullable String key;

  @Option(
      names = "--time",
      paramLabel = "COLUMN",
      description = "The column of the records' time (default: the time of sending).")
  private @Nullable String time;

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private TimeOptions times = new TimeOptions();

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description = "The column of the label (default: the model's).")
  private @Nullable String label;

  @Option(
      names = "--labels-topic",
      paramLabel = "TOPIC",
      description =
          "Send labels here and leave them out of the records (default: as the model has it).")
  private @Nullable String labelsTopic;

  @Option(
      names = "--label-delay",
      paramLabel = "ROWS",
      defaultValue = "0",
      description = "How many rows later a label is sent (default: ${DEFAULT-VALUE}).")
  private int labelDelay;

  @Option(
      names = "--allow-missing",
      split = ",",
      paramLabel = "COLUMN,...",
      hideParamSyntax = true,
      description = "Columns that the model reads and the file may be without.")
  private List<String> mayLack = new ArrayList<>();

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Records a second; 0 is as fast as it goes (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--ahead",
      paramLabel = "ROWS",
      description =
          "Wait for the trainer rather than send more labels than this beyond what it has learned"
              + " from; more than a window's rows, or 0 not to wait (default: with --config and"
              + " --rate two windows' rows, 1000 at least; else 0).")
  private @Nullable Integer ahead;

  @Option(
      names = "--dry-run",
      description = "Check all, tell what would be sent, and send nothing.")
  private boolean dryRun;

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    checkNumbers();
    DataSource data = DataSource.of(sources);
    FileHeader header = FileHeader.of(data);
    Target target = target();
    Broker.require(target.kafka(), target.topics());
    DataFile file = open(data, header, target);
    Replay replay = new Replay(file, plan(file, target));
    if (dryRun) {
      output.print(
          new Intended(data.toString(), target.topic(), file.rows(), target.labelsTopic(), true),
          (console, intended) ->
              console.line(
                  "Would send %d records to %s%s, and did not.",
                  intended.records(),
                  intended.topic(),
                  intended.labelsTopic() == null
                      ? ""
                      : " and their labels to " + intended.labelsTopic()));
      return;
    }
    long start = System.nanoTime();
    SchemaTopic.register(target.kafka(), target.schemaTopic(), target.topic(), replay.schema());
    Replay.Sent sent = run(replay, file, target);
    double seconds = (System.nanoTime() - start) / 1e9;
    output.print(
        new Sent(
            data.toString(),
            target.topic(),
            sent.rows(),
            target.labelsTopic(),
            sent.labels(),
            seconds),
        ReplayCommand::print);
  }

  private record Intended(
      String file, String topic, long records, @Nullable String labelsTopic, boolean dryRun) {}

  private record Sent(
      String file,
      String topic,
      long records,
      @Nullable String labelsTopic,
      long labels,
      double seconds) {}

  private static void print(Console console, Sent sent) {
    console.line("%d records sent to %s in %.1f s.", sent.records(), sent.topic(), sent.seconds());
    if (sent.labelsTopic() != null) {
      console.line("%d labels sent to %s.", sent.labels(), sent.labelsTopic());
    }
  }

  private void checkNumbers() {
    CommandException.usageIf(labelDelay < 0, "--label-delay must be 0 or more: %d", labelDelay);
    CommandException.usageIf(
        !(rate >= 0 && rate < Double.POSITIVE_INFINITY), "--rate must be 0 or more: %s", rate);
  }

  /** Where records go; the model is null if only topics were named. */
  private record Target(
      Map<String, String> kafka,
      String topic,
      @Nullable String labelsTopic,
      String schemaTopic,
      @Nullable String label,
      @Nullable Settings settings,
      @Nullable ModelSettings model) {

    List<String> topics() {
      return labelsTopic == null
          ? List.of(topic, schemaTopic)
          : List.of(topic, schemaTopic, labelsTopic);
    }
  }

  /** Held against the version that serves; where none does yet, the file says what columns hold. */
  private DataFile open(DataSource data, FileHeader header, Target target) {
    ModelSettings model = target.model();
    Settings settings = target.settings();
    Reading reading = model == null ? Reading.PLAIN : ModelledFile.reading(model);
    Set<String> names = new LinkedHashSet<>(reading.text());
    if (key != null) {
      names.add(Columns.field(header, key, "--key"));
    }
    Optional<LedgerVersion> serving =
        model == null || settings == null
            ? Optional.empty()
            : ModelTopic.read(settings).ledger().serving(model.name());
    if (serving.isEmpty()) {
      CommandException.usageIf(
          !mayLack.isEmpty(),
          "--allow-missing has no meaning before a version of the model serves: leave it out");
      return DataFile.open(data, new Reading(names, reading.missing()));
    }
    Leniency leniency = Leniency.of(mayLack, List.of());
    return DataFile.held(data, ModelColumns.of(serving.get(), leniency).contract(), names);
  }

  private Target target() {
    if (!config.given()) {
      if (topic == null) {
        throw CommandException.usage(
            "replay needs to know where to send: name --topic, or a configuration with --config");
      }
      CommandException.usageIf(
          labelsTopic != null && label == null,
          "--labels-topic needs --label, the column that goes there");
      return new Target(
          Map.of("bootstrap.servers", requireNonNullElse(bootstrap, "localhost:9092")),
          topic,
          labelsTopic,
          requireNonNullElse(schemaTopic, "holdfast.schemas"),
          label,
          null,
          null);
    }
    Settings settings = withBroker(config.settings());
    ModelSettings model = config.model(settings);
    CommandException.failIfAny(TopicCheck.problems(settings));
    String apart = model.labels() instanceof Labels.InTopic ? model.topics().labels() : null;
    return new Target(
        settings.kafka(),
        requireNonNullElse(topic, model.topics().records()),
        labelsTopic == null ? apart : labelsTopic,
        requireNonNullElse(schemaTopic, settings.topics().schemas()),
        requireNonNullElse(label, model.label()),
        settings,
        model);
  }

  private Settings withBroker(Settings settings) {
    if (bootstrap == null) {
      return settings;
    }
    Map<String, String> kafka = new LinkedHashMap<>(settings.kafka());
    kafka.put("bootstrap.servers", bootstrap);
    return settings.withKafka(kafka);
  }

  private Replay.Plan plan(DataFile file, Target target) {
    Replay.LabelPlan labels = null;
    if (target.labelsTopic() != null && target.label() != null) {
      String field = Columns.field(file, target.label(), "--label");
      ModelSettings model = target.model();
      ClassLabels classes = model == null ? ClassLabels.NONE : ClassLabels.of(model.classes());
      labels = new Replay.LabelPlan(field, target.labelsTopic(), labelDelay, classes);
    }
    String timeField = time == null ? null : Columns.field(file, time, "--time");
    EventTimes rowTimes = times.of(file, timeField);
    console().notes(TimeOptions.notes(rowTimes));
    return new Replay.Plan(
        target.topic(),
        key == null ? null : Columns.field(file, key, "--key"),
        timeField,
        labels,
        rowTimes);
  }

  private Replay.Sent run(Replay replay, DataFile file, Target target) {
    try (RecordSender sender = new RecordSender(target.kafka());
        Progress progress = Progress.of("Sending", file.rows())) {
      Pace pace = new Pace(rate);
      int most = ahead(target);
      if (most == 0 || target.settings() == null || target.model() == null) {
        return replay.run(sender, pace, progress::step, () -> {});
      }
      String reportsTopic = target.settings().topics().reports();
      try (var reports = new ReportTail(target.kafka(), reportsTopic, target.model().name())) {
        Lead lead = new Lead(reports, most, report -> {});
        return replay.run(sender, pace, progress::step, lead::labelSent);
      }
    }
  }

  /**
   * How many labels may be beyond what the trainer has learned from; 0 for any number. Who names a
   * rate wants to see a stream that the trainer keeps up with.
   */
  private int ahead(Target target) {
    ModelSettings model = target.model();
    if (ahead != null && ahead != 0) {
      if (model == null) {
        throw CommandException.usage("--ahead needs --config, to follow the trainer's reports");
      }
      CommandException.usageIf(
          ahead <= model.window().rows(),
          "--ahead must be more than the model's window of %d rows, or 0: %d",
          model.window().rows(),
          ahead);
    }
    if (ahead == null && rate > 0 && model != null) {
      return Math.max(LEAST_AHEAD, 2 * model.window().rows());
    }
    return ahead == null ? 0 : ahead;
  }
}
