package io.holdfast.cli.score;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.cli.data.FileContract.Kind;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.ModelColumns;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.learn.OfflineScores;
import io.holdfast.cli.learn.OfflineScores.Evaluated;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.LeniencyOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.TextOutput;
import io.holdfast.cli.report.Evaluations;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "score",
    description = "Scores the rows of a file with a model file.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast score new.csv --model bought.model > scores.csv",
      "  holdfast score test.csv --model bought.model --label bought --environment region --json",
      "",
      "One line a row: its number in the file, the prediction (a mean, the probability of label 1,"
          + " or",
      "the likeliest of several classes), with several classes the probability of each, and the"
          + " raw",
      "score, or one a class. A model that knows its classes by name says the likeliest as label,"
          + " and",
      "probabilities and raw scores by name. With --label, an evaluation follows: as the last line"
          + " of --json, on",
      "standard error otherwise; so do the counts of categories that the model has never seen.",
    })
public final class ScoreCommand extends BaseCommand {

  @Parameters(
      paramLabel = "DATA",
      arity = "1..*",
      description = "The rows to score: a file or several, or - for standard input.")
  private List<DataSource> sources;

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "The model, as holdfast fit --out wrote it.")
  private Path model;

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description = "What was predicted, to evaluate the scores.")
  private @Nullable String label;

  @Option(
      names = "--environment",
      paramLabel = "COLUMN",
      description = "Evaluate by the environments in this column too.")
  private @Nullable String environment;

  @Option(
      names = "--keep",
      split = ",",
      paramLabel = "COLUMN,...",
      hideParamSyntax = true,
      description = "Columns to write before the scores, such as ids.")
  private List<String> keep = new ArrayList<>();

  @SuppressWarnings("unused") // names the broker of topics among DATA
  @Mixin
  private ConfigFile config = new ConfigFile();

  @Mixin private LeniencyOptions leniency = new LeniencyOptions();

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private TextOutput out = new TextOutput();

  @Option(names = "--json", description = "Write each row as a line of JSON, not CSV.")
  private boolean json;

  @Override
  protected void run() throws IOException {
    LedgerVersion version = OfflineModel.read(model);
    DataSource data = DataSource.of(sources);
    FileHeader header = FileHeader.of(data);
    String labelField = label == null ? null : Columns.field(header, label, "--label");
    String environmentField =
        environment == null ? null : Columns.field(header, environment, "--environment");
    Map<String, String> kept = KeptColumns.fields(header, keep);
    HeldFile held =
        ModelColumns.of(version, leniency.leniency())
            .with(labelField, version.classes().isNamed() ? Kind.TEXT : Kind.NUMBER)
            .with(environmentField, Kind.TEXT)
            .with(ofBounds(version, header), Kind.TEXT)
            .open(data, kept.values());
    var scores = new OfflineScores(version, held.file(), labelField, environmentField);
    Console console = console();
    console.notes(held.unseen().notes());
    out.write(console, writer -> score(scores, held, kept, writer));
    console.notes(scores.notes());
    if (scores.clipped() > 0) {
      console.notes(
          List.of(
              Sentence.of(
                  "%d values are beyond those that the linear base was fitted to, and count as the"
                      + " nearest of these",
                  scores.clipped())));
    }
  }

  /** The field of the environment that bounds go by; null if there is none, or not in the file. */
  private static @Nullable String ofBounds(LedgerVersion version, FileHeader header) {
    String field = version.uncertainty() == null ? null : version.environment();
    return field == null ? null : header.field(ColumnName.of(field)).orElse(null);
  }

  private void score(
      OfflineScores scores, HeldFile held, Map<String, String> kept, PrintWriter writer) {
    try (KeptColumns columns = kept.isEmpty() ? null : new KeptColumns(held.file(), kept, json);
        Progress progress = Progress.of("Scoring", held.file().rows())) {
      if (!json) {
        List<String> ours = header(scores);
        List<String> all = columns == null ? ours : columns.header(ours);
        writer.println(CSVFormat.RFC4180.format(all.toArray()));
      }
      scores.write(
          (row, prediction, probabilities, rawScores, bounds) ->
              json
                  ? Json.line(Scored.of(row, prediction, probabilities, rawScores, scores, bounds))
                  : csv(row, prediction, probabilities, rawScores, scores)
                      .append(bounds == null ? "" : csv(bounds, scores.classes())),
          (lines, rows) -> {
            writer.print(columns == null ? lines : columns.before(lines, rows));
            progress.step(rows);
          });
    }
    writer.flush();
    Evaluated evaluated = scores.evaluation().orElse(null);
    Map<String, Long> unseen = held.unseen().counts();
    if (json) {
      Map<String, Long> unknown = scores.unknownLabels();
      if (evaluated != null || !unseen.isEmpty() || !unknown.isEmpty()) {
        writer.println(Json.line(new Worth(evaluated, unseen, unknown)));
        writer.flush();
      }
    } else if (evaluated != null) {
      PrintWriter err = console().err();
      err.print(Evaluations.table(evaluated.all(), evaluated.environments()));
      err.flush();
    }
  }

  /** Two classes without names need no column each: the prediction is the probability of 1. */
  private static boolean hasProbabilities(OfflineScores scores) {
    return scores.objective().classes() > 2 || scores.classes().isNamed();
  }

  private static List<String> header(OfflineScores scores) {
    Objective objective = scores.objective();
    ClassLabels labels = scores.classes();
    String before = labels.isNamed() ? "_" : "";
    List<String> header = new ArrayList<>(List.of("row", "prediction"));
    if (labels.isNamed()) {
      header.add("label");
    }
    for (int k = 0; hasProbabilities(scores) && k < objective.classes(); k++) {
      header.add("probability" + before + labels.name(k));
    }
    for (int k = 0; k < objective.outputs(); k++) {
      header.add("rawScore" + (objective.outputs() == 1 ? "" : before + labels.name(k)));
    }
    for (double level : scores.levels()) {
      header.addAll(
          objective.classes() > 0
              ? List.of("classes_" + level)
              : List.of("lower_" + level, "upper_" + level));
    }
    return header;
  }

  /** Behind a comma each: the bounds of a number, or classes with a bar between. */
  private static CharSequence csv(RowBounds bounds, ClassLabels labels) {
    StringBuilder line = new StringBuilder();
    for (int level = 0; level < bounds.levels().size(); level++) {
      line.append(',');
      if (!bounds.ofClasses()) {
        line.append(bounds.lower(level)).append(',').append(bounds.upper(level));
        continue;
      }
      List<String> set = new ArrayList<>();
      for (int k = 0; k < bounds.classes(); k++) {
        if (bounds.holds(level, k)) {
          set.add(labels.name(k));
        }
      }
      line.append(CSVFormat.RFC4180.format(String.join("|", set)));
    }
    return line;
  }

  private static StringBuilder csv(
      long row, double prediction, double[] probabilities, double[] raw, OfflineScores scores) {
    StringBuilder line = new StringBuilder().append(row).append(',').append(prediction);
    String label = scores.classes().label(scores.objective(), prediction);
    if (label != null) {
      line.append(',').append(CSVFormat.RFC4180.format(label));
    }
    if (hasProbabilities(scores)) {
      Arrays.stream(probabilities).forEach(one -> line.append(',').append(one));
    }
    Arrays.stream(raw).forEach(one -> line.append(',').append(one));
    return line;
  }

  /** Probabilities and raw scores are lists, or by name where classes have names. */
  private record Scored(
      long row,
      double prediction,
      @JsonInclude(Include.NON_NULL) @Nullable String label,
      @JsonInclude(Include.NON_EMPTY) Object probabilities,
      @JsonInclude(Include.NON_NULL) @Nullable Double rawScore,
      @JsonInclude(Include.NON_NULL) @Nullable Object rawScores,
      @JsonInclude(Include.NON_EMPTY) List<Bounds> bounds) {
    static Scored of(
        long row,
        double prediction,
        double[] probabilities,
        double[] raw,
        OfflineScores scores,
        @Nullable RowBounds bounds) {
      ClassLabels labels = scores.classes();
      return new Scored(
          row,
          prediction,
          labels.label(scores.objective(), prediction),
          labels.byName(probabilities),
          raw.length == 1 ? raw[0] : null,
          raw.length == 1 ? null : labels.byName(raw),
          bounds == null
              ? List.of()
              : IntStream.range(0, bounds.levels().size())
                  .mapToObj(level -> Bounds.of(bounds, level, labels))
                  .toList());
    }
  }

  /** Where a label is promised to be: between two numbers, or one of some classes. */
  private record Bounds(
      double coverage,
      @JsonInclude(Include.NON_NULL) @Nullable Double lower,
      @JsonInclude(Include.NON_NULL) @Nullable Double upper,
      @JsonInclude(Include.NON_NULL) @Nullable List<String> classes) {
    static Bounds of(RowBounds row, int level, ClassLabels labels) {
      double coverage = row.levels().get(level);
      return row.ofClasses()
          ? new Bounds(
              coverage,
              null,
              null,
              IntStream.range(0, row.classes())
                  .filter(k -> row.holds(level, k))
                  .mapToObj(labels::name)
                  .toList())
          : new Bounds(coverage, row.lower(level), row.upper(level), null);
    }
  }

  private record Worth(
      @JsonInclude(Include.NON_NULL) @Nullable Evaluated evaluation,
      @JsonInclude(Include.NON_EMPTY) Map<String, Long> unseenCategories,
      @JsonInclude(Include.NON_EMPTY) Map<String, Long> unknownLabels) {}
}
