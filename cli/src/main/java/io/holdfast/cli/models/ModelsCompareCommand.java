package io.holdfast.cli.models;

import static io.holdfast.cli.print.Table.figure;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.cli.ledger.ShadowReports;
import io.holdfast.cli.ledger.ShadowReports.Losses;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "compare",
    description =
        "Shows how a model's shadow did against what was served, on the same labelled rows.",
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models compare bikes --last 20",
      "",
      "From the trainer's reports, by environment: the mean loss of the version that shadows last,"
          + " and",
      "of whatever served each row, over the windows in which it shadowed.",
    })
final class ModelsCompareCommand extends BaseCommand {
  @Parameters(paramLabel = "MODEL", description = "The model, as the configuration names it.")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "100",
      description = "The newest N windows alone (default: ${DEFAULT-VALUE}).")
  private int last;

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    CommandException.usageIf(last < 1, "--last must be 1 or more: %d", last);
    Settings settings = config.settings();
    String model = settings.model(name.alone()).name();
    ShadowReports reports = ShadowReports.read(settings, model, last);
    List<Environment> environments = new ArrayList<>();
    reports
        .environments()
        .forEach((environment, losses) -> environments.add(new Environment(environment, losses)));
    output.print(
        new Compared(
            model,
            reports.windows().isEmpty() ? null : reports.version(),
            reports.windows(),
            reports.all(),
            environments),
        ModelsCompareCommand::print);
  }

  /** The shadow, null if there was none, against what was served, by numbers of windows. */
  private record Compared(
      String model,
      @Nullable Long version,
      List<Long> windows,
      Losses all,
      List<Environment> environments) {}

  /** The name is empty where rows have none. */
  private record Environment(String environment, @JsonUnwrapped Losses losses) {}

  private static void print(Console console, Compared compared) {
    List<Long> windows = compared.windows();
    if (windows.isEmpty()) {
      console.line("No window of %s was reported while a version shadowed.", compared.model());
      return;
    }
    console.line(
        "Version %d of %s over %d windows, %d to %d:",
        compared.version(),
        compared.model(),
        windows.size(),
        windows.getFirst(),
        windows.getLast());
    Table table = new Table("environment", "rows", "shadow", "served", "difference");
    line(table, "all", compared.all());
    if (compared.environments().size() > 1) {
      for (Environment one : compared.environments()) {
        line(table, one.environment().isEmpty() ? "(none)" : one.environment(), one.losses());
      }
    }
    console.text(table.toString());
  }

  private static void line(Table table, String name, Losses losses) {
    table.line(
        name,
        losses.rows(),
        figure(losses.shadowLoss()),
        figure(losses.servedLoss()),
        Sentence.of("%+.4f", losses.shadowLoss() - losses.servedLoss()));
  }
}
