package io.holdfast.cli.operate;

import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.log.Broker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.keys.Kind;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicCheck.Creation;
import io.holdfast.schemas.topic.TopicCheck.Made;
import io.holdfast.schemas.topic.shape.TopicShapes;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "topics",
    description = "Creates the topics that a configuration needs.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = TopicsCommand.Create.class)
public final class TopicsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "topics needs to be told what to do: topics create");
  }

  @Command(
      name = "create",
      description = "Creates the topics that are missing, with the right settings.",
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast topics create --config holdfast.yml --partitions 4",
        "  holdfast topics create --config holdfast.yml --replication 3 --retention"
            + " records=30d,reports=400d",
        "",
        "Topics that are there are left as they are, and checked.",
      })
  static final class Create extends BaseCommand {
    @Mixin private ConfigOptions config = new ConfigOptions();

    @Mixin private ShapeOptions shape = new ShapeOptions();

    @Option(names = "--dry-run", description = "Tell what would be created, and create nothing.")
    private boolean dryRun;

    @Mixin private JsonOption output = new JsonOption();

    @Override
    protected void run() {
      TopicShapes shapes = shape.shapes();
      Settings settings = config.settings();
      Broker.require(settings.kafka(), List.of());
      Creation made = TopicCheck.create(settings, shapes, dryRun);
      List<String> problems = dryRun ? List.of() : TopicCheck.problems(settings);
      int replicas = TopicShapes.replicasOf(made.brokers());
      if (replicas < TopicShapes.replicasOf(Integer.MAX_VALUE) && !made.topics().isEmpty()) {
        console()
            .note(
                Sentence.of(
                    "The cluster has %d broker%s, so topics have %d replica%s unless said"
                        + " otherwise; of three brokers one may fail.",
                    made.brokers(), plural(made.brokers()), replicas, plural(replicas)));
      }
      output.print(Created.of(made, problems, dryRun), (console, result) -> print(console, result));
      CommandException.failIfAny(problems);
    }

    private static String plural(int count) {
      return count == 1 ? "" : "s";
    }

    private static void print(Console console, Created result) {
      if (result.created().isEmpty()) {
        console.line("All topics were there.");
        return;
      }
      String verb = result.dryRun() ? "Would create " : "Created ";
      console.line("%s", verb + String.join(", ", result.created()) + ".");
      Table table = new Table("topic", "partitions", "replicas", "in sync", "retention");
      for (Row row : result.topics()) {
        table.line(
            row.topic(),
            row.partitions() == 0 ? "broker's" : row.partitions(),
            row.replicas(),
            row.minInSync(),
            row.retention());
      }
      console.text(table.toString());
    }
  }

  /** A topic and what it was made with, for people and programs. */
  private record Row(
      String topic, String kind, int partitions, int replicas, int minInSync, String retention) {
    static Row of(Made made) {
      TopicShapes.Shape shape = made.shape();
      String kept =
          made.kind().compacted()
              ? "compacted"
              : shape.retention().map(Kind.Length.ANY::print).orElse("broker's");
      return new Row(
          made.topic(),
          made.kind().toString(),
          made.partitions(),
          shape.replicas(),
          shape.inStep(),
          kept);
    }
  }

  private record Created(
      List<String> created, boolean dryRun, List<Row> topics, List<String> problems) {
    static Created of(Creation made, List<String> problems, boolean dryRun) {
      return new Created(
          made.names(), dryRun, made.topics().stream().map(Row::of).toList(), problems);
    }
  }
}
