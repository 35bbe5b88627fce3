package io.holdfast.cli.score;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.explain.PartialDependence;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.FileContract.Kind;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.ModelColumns;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.cli.learn.OfflineExplanations;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.measure.FeatureWeight;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.LeniencyOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.TextOutput;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    description = "Says what a model goes by: in all, row by row, or along one feature or two.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast explain --model bought.model",
      "  holdfast explain new.csv --model bought.model > contributions.csv",
      "  holdfast explain new.csv --model bought.model --partial-dependence price \\",
      "      --environment region --json",
      "",
      "Without DATA: what the splits on each feature gained in training, and how many there are.",
      "",
      "With DATA: one line a row (and raw score, if it has several) with what each feature",
      "contributes to it. The expected score and all contributions add up to the raw score. They"
          + " are",
      "exact Shapley values: what is not known of a row is averaged over the rows trained on. The",
      "mean size of contributions follows: as the last line of --json, on standard error"
          + " otherwise.",
      "",
      "With --partial-dependence: the mean prediction over all rows of DATA, with the feature set"
          + " to",
      "each value of a grid and all else left as it is.",
    })
public final class ExplainCommand extends BaseCommand {

  @Parameters(
      paramLabel = "DATA",
      arity = "0..*",
      description = "The rows to explain: a file or several, or - for standard input.")
  private List<DataSource> sources = new ArrayList<>();

  private @Nullable DataSource data;

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "The model, as holdfast fit --out wrote it.")
  private Path model;

  @Option(
      names = "--background",
      paramLabel = "DATA",
      description = "Average over these rows in place of those trained on.")
  private @Nullable DataSource background;

  @Option(
      names = "--partial-dependence",
      split = ",",
      paramLabel = "FEATURE",
      description = "Show how predictions depend on this feature, or on two.")
  private List<String> dependence = new ArrayList<>();

  @Option(
      names = "--grid",
      defaultValue = "20",
      paramLabel = "N",
      description = "Values of a feature at most (default: ${DEFAULT-VALUE}).")
  private int grid;

  @Option(names = "--raw", description = "Show raw scores, not predictions.")
  private boolean raw;

  @Option(
      names = "--environment",
      paramLabel = "COLUMN",
      description = "Show the dependence by the environments in this column too.")
  private @Nullable String environment;

  @Option(
      names = "--keep",
      split = ",",
      paramLabel = "COLUMN,...",
      hideParamSyntax = true,
      description = "Columns to write before the contributions, such as ids.")
  private List<String> keep = new ArrayList<>();

  @Mixin private LeniencyOptions leniency = new LeniencyOptions();

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private TextOutput out = new TextOutput();

  @Option(names = "--json", description = "Write JSON: an object, or a line for each of the rows.")
  private boolean json;

  @Override
  protected void run() throws IOException {
    data = sources.isEmpty() ? null : DataSource.of(sources);
    checkFlags();
    LedgerVersion version = OfflineModel.read(model);
    out.write(console(), writer -> explain(version, writer));
  }

  private void checkFlags() {
    boolean curve = !dependence.isEmpty();
    CommandException.usageIf(
        curve && dependence.size() > 2,
        "--partial-dependence takes one feature or two, and there are %s: %s",
        dependence.size(),
        String.join(", ", dependence));
    CommandException.usageIf(grid < 2, "--grid must be at least 2: %s", grid);
    CommandException.usageIf(
        curve && data == null, "--partial-dependence needs DATA: the rows to average over");
    CommandException.usageIf(
        (background != null || !keep.isEmpty()) && (curve || data == null),
        "%s is for contributions: it needs DATA, and no --partial-dependence",
        background != null ? "--background" : "--keep");
    CommandException.usageIf(
        !curve && (environment != null || raw),
        "%s is for --partial-dependence, which is not given",
        raw ? "--raw" : "--environment");
  }

  private void explain(LedgerVersion version, PrintWriter writer) {
    Console console = console().to(writer);
    if (data == null) {
      Explanations.printImportance(version, console, json);
    } else if (dependence.isEmpty()) {
      printContributions(version, data, console);
    } else {
      printDependence(version, data, writer);
    }
    writer.flush();
  }

  private void printContributions(LedgerVersion version, DataSource rows, Console console) {
    if (background == null && !FeatureWeight.knowsTraining(version.model())) {
      throw CommandException.failed(
          "%s does not know how many training rows reached each leaf: fit it again, or give rows to"
              + " average over by --background",
          model);
    }
    ModelColumns columns = ModelColumns.of(version, leniency.leniency());
    Map<String, String> fields = KeptColumns.fields(FileHeader.of(rows), keep);
    DataFile file = open(columns, rows, fields.values());
    var explanations =
        new OfflineExplanations(
            version, file, background == null ? null : open(columns, background, List.of()));
    try (KeptColumns kept = keep.isEmpty() ? null : new KeptColumns(file, fields, json);
        Progress progress = Progress.of("Explaining", file.rows())) {
      var lines = new Explanations(version, console, json, kept);
      lines.printHeader();
      explanations.forEach(
          (ofRow, row) -> {
            lines.print(row, ofRow);
            progress.step();
          });
      lines.printMeans(explanations.importance());
    }
  }

  private void printDependence(LedgerVersion version, DataSource path, PrintWriter writer) {
    List<Integer> columns = new ArrayList<>();
    for (String name : dependence) {
      columns.add(column(version.model().features(), name));
    }
    CommandException.usageIf(
        columns.size() == 2 && columns.getFirst().equals(columns.getLast()),
        "--partial-dependence takes two different features: %s",
        dependence.getFirst());
    String field =
        environment == null
            ? null
            : Columns.field(FileHeader.of(path), environment, "--environment");
    DataFile file =
        open(ModelColumns.of(version, leniency.leniency()).with(field, Kind.TEXT), path, List.of());
    Rows rows = OfflineExplanations.rows(version, file, field);
    var scale = raw ? PartialDependence.Scale.RAW : PartialDependence.Scale.PREDICTION;
    var computed = PartialDependence.of(version.model(), rows, columns, grid, scale);
    var curve = DependenceCurve.of(computed, version.classes(), environment != null);
    writer.print(json ? Json.pretty(curve) + System.lineSeparator() : curve.csv());
  }

  private DataFile open(ModelColumns columns, DataSource path, Collection<String> kept) {
    HeldFile held = columns.open(path, kept);
    console().notes(held.unseen().notes());
    return held.file();
  }

  private static int column(List<Feature> features, String name) {
    List<String> paths = features.stream().map(Feature::name).toList();
    List<String> names = paths.stream().map(ColumnName::of).toList();
    int column = Math.max(names.indexOf(ColumnName.text(name)), paths.indexOf(name));
    if (column < 0) {
      throw CommandException.usage(
          "--partial-dependence names feature %s, which the model does not have%s; it has %s",
          name, Suggestion.aside(name, names), String.join(", ", names));
    }
    return column;
  }
}
