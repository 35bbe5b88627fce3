package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.ledger.ShadowReports;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast models compare}. */
@Command(
    name = "compare",
    description =
        "Shows how a model's shadow did against what was served, on the same labelled rows.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models compare bikes --last 20",
      "",
      "From the trainer's reports, by environment: the mean loss of the version that shadows last, and",
      "of whatever served each row, over the windows in which it shadowed.",
    })
final class ModelsCompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "MODEL",
      converter = VersionName.Reader.class,
      description = "The model, as the configuration names it.")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "100",
      description = "The newest N windows alone (default: ${DEFAULT-VALUE}).")
  private int last;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    if (last < 1) {
      throw CommandException.usage("--last must be 1 or more: %d", last);
    }
    Settings settings = config.settings();
    String model = settings.model(name.alone()).name();
    ShadowReports reports = ShadowReports.read(settings, model, last);
    Console console = Console.of(spec);
    if (json) {
      console.json(json(model, reports));
      return ExitCode.OK;
    }
    if (reports.windows().isEmpty()) {
      console.line("No window of %s was reported while a version shadowed.", model);
      return ExitCode.OK;
    }
    console.line(
        "Version %d of %s over %d windows, %d to %d:",
        reports.version(),
        model,
        reports.windows().size(),
        reports.windows().getFirst(),
        reports.windows().getLast());
    Table table = new Table("environment", "rows", "shadow", "served", "difference");
    line(table, "all", reports.all());
    if (reports.environments().size() > 1) {
      reports
          .environments()
          .forEach((name, losses) -> line(table, name.isEmpty() ? "(none)" : name, losses));
    }
    console.text(table.toString());
    return ExitCode.OK;
  }

  private static void line(Table table, String name, ShadowReports.Losses losses) {
    table.line(
        name,
        String.valueOf(losses.rows()),
        Table.figure(losses.shadow()),
        Table.figure(losses.served()),
        Sentence.of("%+.4f", losses.shadow() - losses.served()));
  }

  private static ObjectNode json(String model, ShadowReports reports) {
    ObjectNode node = Json.object();
    node.put("model", model);
    node.put("version", reports.windows().isEmpty() ? null : Long.valueOf(reports.version()));
    ArrayNode windows = node.putArray("windows");
    reports.windows().forEach(windows::add);
    put(node.putObject("all"), reports.all());
    ArrayNode environments = node.putArray("environments");
    for (Map.Entry<String, ShadowReports.Losses> one : reports.environments().entrySet()) {
      put(environments.addObject().put("environment", one.getKey()), one.getValue());
    }
    return node;
  }

  private static void put(ObjectNode node, ShadowReports.Losses losses) {
    node.put("rows", losses.rows());
    Json.put(node, "shadowLoss", losses.shadow());
    Json.put(node, "servedLoss", losses.served());
  }
}
