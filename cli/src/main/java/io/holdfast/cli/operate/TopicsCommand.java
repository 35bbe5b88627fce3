package io.holdfast.cli.operate;

import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.stream.Broker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
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
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast topics create --config holdfast.yml --partitions 4",
        "",
        "Topics that are there are left as they are, and checked.",
      })
  static final class Create extends BaseCommand {
    @Mixin private ConfigOptions config = new ConfigOptions();

    @Option(
        names = "--partitions",
        paramLabel = "N",
        defaultValue = "0",
        description =
            "Partitions of records, scores, labels and examples; 0 is the broker's default"
                + " (default: ${DEFAULT-VALUE}).")
    private int partitions;

    @Mixin private JsonOption output = new JsonOption();

    @Override
    protected void run() {
      CommandException.usageIf(partitions < 0, "--partitions must be 0 or more: %d", partitions);
      Settings settings = config.settings();
      Broker.require(settings.kafka(), List.of());
      List<String> created = TopicCheck.create(settings, partitions);
      List<String> problems = TopicCheck.problems(settings);
      output.print(
          new Created(created, problems),
          (console, result) ->
              console.line(
                  "%s",
                  created.isEmpty()
                      ? "All topics were there."
                      : "Created " + String.join(", ", result.created()) + "."));
      CommandException.failIfAny(problems);
    }
  }

  private record Created(List<String> created, List<String> problems) {}
}
