package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.SchemaFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast doctor}. */
@Command(
    name = "doctor",
    description = "Checks what service and trainer need, and says what is wrong.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast doctor --config holdfast.yml",
      "",
      "The configuration, the broker, the topics and their settings, and the schemas of the"
          + " records:",
      "a sentence for each that is not as it must be, with what mends it. Nothing is written.",
    })
final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config = new ConfigOptions();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Settings settings = config.settings();
    List<String> problems = TopicCheck.problems(settings);
    if (problems.isEmpty()) {
      problems = schemaProblems(settings);
    }
    Console console = Console.of(spec);
    if (json) {
      ObjectNode node = Json.object();
      node.put("healthy", problems.isEmpty());
      ArrayNode sentences = node.putArray("problems");
      problems.forEach(sentences::add);
      console.json(node);
    } else if (problems.isEmpty()) {
      console.line(
          "All is well: %d topics on %s, and the settings fit the records' schemas.",
          TopicCheck.expected(settings).stream().filter(TopicCheck.Expected::required).count(),
          settings.kafka().get("bootstrap.servers"));
    }
    if (!problems.isEmpty()) {
      throw CommandException.failed("%s", String.join(System.lineSeparator(), problems));
    }
    return ExitCode.OK;
  }

  /** Whether the settings fit the schemas that are known, of files and of the schema topic. */
  private static List<String> schemaProblems(Settings settings) {
    try (SchemaTopic schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas())) {
      for (ModelSettings model : settings.models().values()) {
        for (Path file : model.schemas()) {
          schemas.add(model.topics().records(), SchemaFile.read(file));
        }
      }
      schemas.check(settings.models().values());
      return List.of();
    } catch (SettingsException e) {
      return e.problems();
    }
  }
}
