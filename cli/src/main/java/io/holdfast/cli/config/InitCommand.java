package io.holdfast.cli.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.input.TopicRange;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.print.TextOutput;
import io.holdfast.cli.stream.TopicSpool;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.file.TemporaryFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SchemaFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "init",
    description = "Writes a configuration to begin with, from a file, a schema or a topic.",
    customSynopsis = {
      "@|bold holdfast init|@ DATA --label=COLUMN [FLAGS]",
      "       @|bold holdfast init|@ --schema=FILE --label=COLUMN [FLAGS]",
      "       @|bold holdfast init|@ --topic=TOPIC --label=COLUMN [FLAGS]",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast init bikes.csv --label count --environment season --out holdfast.yml",
      "  holdfast init --schema ride.avsc --label count --out holdfast.yml",
      "  holdfast init --topic rides --label count --bootstrap kafka:9092 --out holdfast.yml",
      "",
      "What the label holds says the objective, and each line says what it is for. A topic is read",
      "at its newest records; where these have no label, labels are taken to have a topic of their",
      "own. Then: holdfast topics create, doctor, service and trainer, each with --config.",
    })
public final class InitCommand extends BaseCommand {
  private static final long NEWEST = 1_000;
  private static final String NO_TOPIC =
      "name one that it has, or begin with --schema or a file of rows; from the configuration that"
          + " comes of it, holdfast topics create makes the topics";

  @Parameters(paramLabel = "DATA", arity = "0..*", description = "Rows such as those to come.")
  private List<DataSource> sources = new ArrayList<>();

  @Option(names = "--schema", paramLabel = "FILE", description = "The records' Avro schema.")
  private @Nullable Path schema;

  @Option(names = "--topic", paramLabel = "TOPIC", description = "The topic that records are on.")
  private @Nullable String topic;

  @Option(names = "--label", paramLabel = "COLUMN", description = "What to predict.")
  private @Nullable String label;

  @Option(
      names = "--environment",
      paramLabel = "COLUMN",
      description = "The environment of a row: a season, a site, a customer group.")
  private @Nullable String environment;

  @Option(
      names = "--objective",
      paramLabel = "NAME",
      description = "What is learned (default: as the label's values have it).")
  private @Nullable String objective;

  @Option(
      names = "--name",
      paramLabel = "MODEL",
      description = "What the model is called (default: as the file, schema or topic).")
  private @Nullable String name;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      defaultValue = "localhost:9092",
      description = "The broker (default: ${DEFAULT-VALUE}).")
  private String bootstrap;

  @Option(names = "--registry", paramLabel = "URL", description = "The schema registry.")
  private @Nullable String registry;

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private TextOutput out = new TextOutput();

  @Override
  protected void run() throws IOException {
    long given = Stream.of(schema, topic).filter(one -> one != null).count();
    CommandException.usageIf(
        given + (sources.isEmpty() ? 0 : 1) != 1,
        "a configuration is written from one thing: name DATA, --schema or --topic");
    if (label == null) {
      throw CommandException.usage("--label must name what is to be predicted");
    }
    ConfigDraft draft = draft(label);
    String text = draft.text();
    check(draft);
    out.write(console(), writer -> writer.print(text));
  }

  private ConfigDraft draft(String predicted) throws IOException {
    var wanted =
        new ConfigDraft.Wanted(name, predicted, environment, objective, bootstrap, registry);
    if (schema != null) {
      return ConfigDraft.ofSchema(wanted, schema, SchemaFile.read(schema));
    }
    if (topic != null) {
      TopicRange range = TopicRange.newest(topic, NEWEST);
      Settings provisional = read(ConfigDraft.provisional(wanted, topic));
      DataSource source =
          DataSource.of(TopicSpool.of(provisional, range, NO_TOPIC, console()::note));
      DataFile rows = DataFile.open(source, Reading.PLAIN);
      return ConfigDraft.ofTopic(wanted, topic, rows.schema(), values(rows, predicted));
    }
    DataFile rows = DataFile.open(DataSource.of(sources), Reading.PLAIN);
    String field = Columns.field(rows, predicted, "--label");
    if (environment != null) {
      String _ = Columns.field(rows, environment, "--environment");
    }
    Set<String> features = new TreeSet<>();
    rows.schema().getFields().forEach(one -> features.add(one.name()));
    features.remove(field);
    return ConfigDraft.ofFile(
        wanted, rows.name(), rows.schema(), values(rows, predicted), rows.notes(features));
  }

  /** The first values of the label, a few more than a model may have classes by itself. */
  private static Set<String> values(DataFile rows, String label) {
    Set<String> values = new TreeSet<>();
    String field = rows.field(label).orElse(null);
    if (field == null) {
      return values;
    }
    try (RowCursor cursor = rows.open()) {
      FieldDecoder decoder = FieldDecoder.compile(rows.schema(), List.of(field));
      for (byte[] body = cursor.next();
          body != null && values.size() <= ConfigDraft.MOST_CLASSES;
          body = cursor.next()) {
        Object value = cursor.fields(decoder, body)[0];
        if (value != null) {
          values.add(FieldDecoder.text(value));
        }
      }
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", rows.name(), e.getMessage());
    }
    return values;
  }

  /** What is written is a configuration that all commands take. */
  private static void check(ConfigDraft draft) throws IOException {
    ModelSettings model = read(draft.text()).models().values().iterator().next();
    CommandException.failIfAny(SchemaFit.settingsProblems(model, List.of(draft.rows())));
  }

  private static Settings read(String text) throws IOException {
    Path file = TemporaryFile.of(out -> out.write(text.getBytes(UTF_8)));
    return Settings.read(file, System.getenv());
  }
}
