package io.holdfast.cli.operate;

import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.stream.Broker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast topics create}. */
@Command(
    name = "create",
    description = "Creates the topics that are missing, with the right settings.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast topics create --config holdfast.yml --partitions 4",
      "",
      "Topics that are there are left as they are, and checked.",
    })
final class TopicsCreateCommand implements Callable<Integer> {
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
  public Integer call() {
    if (partitions < 0) {
      throw CommandException.usage("--partitions must be 0 or more: %d", partitions);
    }
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
    if (!problems.isEmpty()) {
      throw CommandException.failed("%s", String.join(System.lineSeparator(), problems));
    }
    return ExitCode.OK;
  }

  /** Topics that were made, and what is wrong with topics, a sentence each. */
  private record Created(List<String> created, List<String> problems) {}
}
