package io.holdfast.cli.show;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.FileRows;
import io.holdfast.cli.learn.ModelColumns;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.measure.CalibrationGroups;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.options.LeniencyOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.cli.report.Page;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = "Shows a model file: what it is made of, what it goes by, and where it errs.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast show model.hf",
      "  holdfast show model.hf --data later.csv --html model.html",
      "",
      "With --data, whose rows have labels: importance by permutation and Shapley values,",
      "calibration, partial dependence and environments. A version that is on Kafka is shown by",
      "holdfast models show, and becomes a file by holdfast models export.",
    })
public final class ShowCommand extends BaseCommand {
  @Parameters(paramLabel = "FILE", description = "The model, as holdfast fit --out wrote it.")
  private Path model;

  @Option(names = "--data", paramLabel = "DATA", description = "Rows with labels to show it on.")
  private @Nullable DataSource data;

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description = "Their label (default: that which it learned from).")
  private @Nullable String label;

  @Option(
      names = "--environment",
      paramLabel = "COLUMN",
      description = "Their environment (default: that which it learned from).")
  private @Nullable String environment;

  @Option(
      names = "--trees",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many trees to write out, from the first (default: ${DEFAULT-VALUE}).")
  private int trees;

  @Option(
      names = "--html",
      paramLabel = "OUT.html",
      description = "Write a page with pictures, too; it needs nothing beside itself.")
  private @Nullable OutputFile page;

  @Mixin private LeniencyOptions leniency = new LeniencyOptions();

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    CommandException.usageIf(trees < 0, "--trees must be 0 or more: %s", trees);
    CommandException.usageIf(
        data == null && (label != null || environment != null),
        "%s is a column of --data, which is not given",
        label == null ? "--environment" : "--label");
    CommandException.usageIf(
        !Files.exists(model),
        "there is no model file %s: holdfast fit --out makes one, and a model on Kafka is shown by"
            + " holdfast models show",
        model);
    LedgerVersion version = OfflineModel.read(model);
    DataSource source = data;
    Insights insights = source == null ? null : new Insights(version, rows(version, source));
    Shown shown =
        Shown.of(model, version, source == null ? null : source.toString(), insights, trees);
    if (page != null) {
      page.writeText(ModelPage.of(shown));
    }
    output.print(shown, ShowCommand::print, page);
  }

  private Rows rows(LedgerVersion version, DataSource source) {
    FileHeader header = FileHeader.of(source);
    ObjectNode told = (ObjectNode) Json.parse(version.manifest().getSettings());
    if (label != null) {
      told.put("label", Columns.field(header, label, "--label"));
    }
    if (environment != null) {
      told.put("environment", Columns.field(header, environment, "--environment"));
    }
    CommandException.usageIf(
        told.path("label").asText("").isEmpty(),
        "%s does not know its label: name the column of %s with --label",
        model,
        source);
    ModelSettings settings =
        ModelSettings.ofTrainingJson(version.manifest().getModel(), told.toString())
            .withLabelsInRecord();
    HeldFile held =
        ModelColumns.toTest(version.model().features(), settings, leniency.leniency()).open(source);
    console().notes(held.unseen().notes());
    return FileRows.test(held.file(), settings, version.model().features()).rows();
  }

  private static void print(Console console, Shown shown) {
    Shown.Forest forest = shown.forest();
    console.line(
        "%s, version %d: %s, gamma %s, %d trees of %d to %d leaves, at most %d splits deep%s.%n",
        shown.model(),
        shown.version(),
        shown.objective(),
        Page.number(shown.gamma()),
        forest.trees(),
        forest.fewestLeaves(),
        forest.mostLeaves(),
        forest.deepest(),
        shown.linearTerms() == 0 ? "" : ", on a linear base of " + shown.linearTerms() + " terms");
    console.line("%s", importance(shown));
    if (shown.data() != null) {
      print(console, shown.data());
    }
    for (int k = 0; k < shown.trees().size(); k++) {
      List<String> lines = new ArrayList<>();
      shown.trees().get(k).lines("  ", "", lines);
      console.line("%nTree %d%n%s", k + 1, String.join(System.lineSeparator(), lines));
    }
  }

  private static Table importance(Shown shown) {
    boolean rows = shown.data() != null;
    List<String> header = new ArrayList<>(List.of("feature", "gain", "share", "splits"));
    if (rows) {
      header.addAll(List.of("permutation", "from", "to", "Shapley"));
    }
    Table table = new Table(header);
    for (Shown.Weight weight : shown.importance()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  weight.feature(),
                  Page.number(weight.training().gain()),
                  Page.number(weight.training().gainShare()),
                  "" + weight.training().splits()));
      if (rows) {
        cells.add(Page.number(weight.permutation().value()));
        cells.add(Page.number(weight.permutation().lower()));
        cells.add(Page.number(weight.permutation().upper()));
        cells.add(Page.number(weight.shapley()));
      }
      table.line(cells);
    }
    return table;
  }

  private static void print(Console console, Shown.Data data) {
    console.line(
        "On %d rows of %s: loss %s.%n", data.rows(), data.file(), Page.number(data.loss()));
    Table environments = new Table("environment", "rows", "loss", "from", "to");
    for (Shown.InEnvironment one : data.environments()) {
      environments.line(
          one.environment(),
          "" + one.rows(),
          Page.number(one.loss()),
          Page.number(one.lower()),
          Page.number(one.upper()));
    }
    console.line("%s", environments);
    Table calibration = new Table("predicted", "came", "from", "to", "rows");
    for (CalibrationGroups.Group group : data.calibration()) {
      calibration.line(
          Page.number(group.predicted()),
          Page.number(group.observed()),
          Page.number(group.lower()),
          Page.number(group.upper()),
          "" + group.rows());
    }
    if (!data.calibration().isEmpty()) {
      console.line("%s", calibration);
    }
    for (Shown.Dependence curve : data.dependence()) {
      Table table = new Table(curve.feature(), "prediction", "from", "to");
      for (Shown.Point point : curve.points()) {
        table.line(
            point.at() == null
                ? "missing"
                : point.at() instanceof Double x ? Page.number(x) : point.at(),
            join(point.mean()),
            join(point.lower()),
            join(point.upper()));
      }
      console.line("%s", table);
    }
  }

  private static String join(List<Double> numbers) {
    return String.join(" ", numbers.stream().map(Page::number).toList());
  }
}
