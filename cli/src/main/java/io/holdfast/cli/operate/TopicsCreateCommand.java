package io.holdfast.cli.operate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.stream.Broker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config = new ConfigOptions();

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Partitions of records, scores, labels and examples; 0 is the broker's default"
              + " (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    if (partitions < 0) {
      throw CommandException.usage("--partitions must be 0 or more: %d", partitions);
    }
    Settings settings = config.settings();
    Broker.require(settings.kafka(), List.of());
    List<String> created = TopicCheck.create(settings, partitions);
    List<String> problems = TopicCheck.problems(settings);
    Console console = Console.of(spec);
    if (json) {
      ObjectNode node = Json.object();
      ArrayNode names = node.putArray("created");
      created.forEach(names::add);
      ArrayNode sentences = node.putArray("problems");
      problems.forEach(sentences::add);
      console.json(node);
    } else if (created.isEmpty()) {
      console.line("All topics were there.");
    } else {
      console.line("Created %s.", String.join(", ", created));
    }
    if (!problems.isEmpty()) {
      throw CommandException.failed("%s", String.join(System.lineSeparator(), problems));
    }
    return ExitCode.OK;
  }
}
