package io.holdfast.cli.models;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ledger.LedgerAudit;
import io.holdfast.schemas.ledger.LedgerAudit.Violation;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.LedgerReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "verify",
    description = "Checks everything on the model topic, record by record.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models verify",
      "  holdfast models verify bikes boats --json",
      "",
      "Hashes, parents, gaps, branches that no head explains, heads that were lost or name what is",
      "not there, and whether every version can be verified as a scorer would. Writes nothing, and",
      "may run while models are trained. Exit code 1 if anything is wrong.",
    })
final class ModelsVerifyCommand extends BaseCommand {
  /** Longer than a dead writer's transaction stays open. */
  private static final Duration PATIENCE = Duration.ofSeconds(75);

  @Parameters(
      arity = "0..*",
      paramLabel = "MODEL",
      description = "The models (default: all on the topic).")
  private List<VersionName> names = new ArrayList<>();

  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private JsonOption output = new JsonOption();

  private record Verified(long records, List<Model> models, List<Violation> violations) {}

  private record Model(String model, @JsonUnwrapped LedgerAudit.Summary summary) {}

  @Override
  protected void run() {
    List<String> wanted = names.stream().map(VersionName::alone).toList();
    Settings settings = config.settings();
    LedgerAudit.Result result =
        LedgerReader.audit(settings.kafka(), settings.topics().models(), PATIENCE);
    Map<String, LedgerAudit.Summary> models = new TreeMap<>(result.models());
    List<Violation> violations = result.violations();
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
    List<Model> summaries = new ArrayList<>();
    models.forEach((name, summary) -> summaries.add(new Model(name, summary)));
    output.print(new Verified(result.records(), summaries, violations), ModelsVerifyCommand::print);
    exitCode = violations.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static void print(Console console, Verified verified) {
    Table table = new Table("model", "versions", "newest", "heads", "segments", "bytes");
    for (Model model : verified.models()) {
      LedgerAudit.Summary summary = model.summary();
      table.line(
          model.model(),
          summary.versions(),
          summary.newest(),
          summary.heads(),
          summary.segments(),
          summary.segmentBytes());
    }
    console.text(table.toString());
    for (Violation violation : verified.violations()) {
      console.line(
          "%s%s, %s: %s",
          violation.model(),
          violation.offset() < 0 ? "" : " at offset " + violation.offset(),
          violation.kind(),
          violation.detail());
    }
    console.line(
        "%d records read, and %s.",
        verified.records(),
        verified.violations().isEmpty() ? "nothing is wrong" : "what is wrong stands above");
  }
}
