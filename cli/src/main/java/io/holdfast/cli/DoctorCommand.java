package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.ledger.AbsentFeatures;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.SchemaFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.avro.Schema;
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
      "The configuration, the broker, the topics and their settings, the schemas of the records"
          + " and",
      "whether the versions that serve can read them, and what a service that runs where the"
          + " configuration",
      "says finds wrong: a sentence for each, with what mends it. Nothing is written.",
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
      problems = new ArrayList<>(schemaProblems(settings));
      problems.addAll(ServiceTroubles.of(settings));
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

  /**
   * Whether the settings, and the versions that serve, fit the schemas that are known, of files and
   * of the schema topic.
   */
  private static List<String> schemaProblems(Settings settings) {
    try (SchemaTopic schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas())) {
      for (ModelSettings model : settings.models().values()) {
        for (Path file : model.schemas()) {
          schemas.add(model.topics().records(), SchemaFile.read(file));
        }
      }
      schemas.check(settings.models().values());
      Ledger ledger = ModelTopic.read(settings).ledger();
      List<String> problems = new ArrayList<>();
      for (ModelSettings model : settings.models().values()) {
        Optional<LedgerVersion> serving = ledger.serving(model.name());
        Optional<Schema> newest = schemas.latest(model.topics().records());
        if (serving.isPresent() && newest.isPresent()) {
          AbsentFeatures.problem(model, newest.get(), serving.get()).ifPresent(problems::add);
        }
      }
      return problems;
    } catch (SettingsException e) {
      return e.problems();
    }
  }
}
