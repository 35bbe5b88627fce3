package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ledger.LedgerAudit;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.LedgerReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast models verify}. */
@Command(
    name = "verify",
    description = "Checks everything on the model topic, record by record.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models verify",
      "  holdfast models verify bikes boats --json",
      "",
      "Hashes, parents, gaps, branches that no head explains, heads that were lost or name what is",
      "not there, and whether every version can be verified as a scorer would. Writes nothing, and",
      "may run while models are trained. Exit code 1 if anything is wrong.",
    })
final class ModelsVerifyCommand implements Callable<Integer> {
  /** Longer than a dead writer's transaction stays open. */
  private static final Duration PATIENCE = Duration.ofSeconds(75);

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "MODEL",
      converter = VersionName.Reader.class,
      description = "The models (default: all on the topic).")
  private List<VersionName> names = new ArrayList<>();

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    List<String> wanted = names.stream().map(VersionName::alone).toList();
    Settings settings = config.settings();
    LedgerAudit.Result result =
        LedgerReader.audit(settings.kafka(), settings.topics().models(), PATIENCE);
    Map<String, LedgerAudit.Summary> models = new TreeMap<>(result.models());
    List<LedgerAudit.Violation> violations = result.violations();
    if (!wanted.isEmpty()) {
      for (String model : wanted) {
        if (!models.containsKey(model)) {
          throw CommandException.failed(
              "the topic %s has no model %s: it has %s",
              settings.topics().models(), model, String.join(", ", models.keySet()));
        }
      }
      models.keySet().retainAll(wanted);
      violations = violations.stream().filter(one -> wanted.contains(one.model())).toList();
    }
    print(result.records(), models, violations);
    return violations.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void print(
      long records,
      Map<String, LedgerAudit.Summary> models,
      List<LedgerAudit.Violation> violations) {
    Console console = Console.of(spec);
    if (json) {
      console.json(json(records, models, violations));
      return;
    }
    Table table = new Table("model", "versions", "newest", "heads", "segments", "bytes");
    models.forEach(
        (name, model) ->
            table.line(
                name,
                String.valueOf(model.versions()),
                String.valueOf(model.newest()),
                String.valueOf(model.heads()),
                String.valueOf(model.segments()),
                String.valueOf(model.segmentBytes())));
    console.text(table.toString());
    for (LedgerAudit.Violation violation : violations) {
      console.line(
          "%s%s, %s: %s",
          violation.model(),
          violation.offset() < 0 ? "" : " at offset " + violation.offset(),
          violation.kind(),
          violation.detail());
    }
    String verdict = violations.isEmpty() ? "nothing is wrong" : "what is wrong stands above";
    console.line("%d records read, and %s.", records, verdict);
  }

  private static ObjectNode json(
      long records,
      Map<String, LedgerAudit.Summary> models,
      List<LedgerAudit.Violation> violations) {
    ObjectNode node = Json.object();
    node.put("records", records);
    ArrayNode summaries = node.putArray("models");
    models.forEach(
        (name, model) ->
            summaries
                .addObject()
                .put("model", name)
                .put("versions", model.versions())
                .put("newest", model.newest())
                .put("heads", model.heads())
                .put("segments", model.segments())
                .put("segmentBytes", model.segmentBytes()));
    ArrayNode wrong = node.putArray("violations");
    for (LedgerAudit.Violation violation : violations) {
      wrong
          .addObject()
          .put("offset", violation.offset())
          .put("model", violation.model())
          .put("kind", violation.kind().name())
          .put("detail", violation.detail());
    }
    return node;
  }
}
