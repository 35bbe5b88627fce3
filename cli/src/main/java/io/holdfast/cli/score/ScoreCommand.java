package io.holdfast.cli.score;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.data.FileContract.Kind;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.learn.ModelColumns;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.learn.OfflineScores;
import io.holdfast.cli.learn.OfflineScores.Evaluated;
import io.holdfast.cli.learn.UnseenCategories;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.LeniencyOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.TextOutput;
import io.holdfast.cli.report.Evaluations;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast score}. */
@Command(
    name = "score",
    description = "Scores the rows of a file with a model file.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast score new.csv --model bought.model > scores.csv",
      "  holdfast score test.csv --model bought.model --label bought --environment region --json",
      "",
      "One line a row: its number in the file, the prediction (a mean, the probability of label 1,"
          + " or",
      "the likeliest of several classes), with several classes the probability of each, and the"
          + " raw",
      "score, or one a class. With --label, an evaluation follows: as the last line of --json, on",
      "standard error otherwise; so do the counts of categories that the model has never seen.",
    })
public final class ScoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DATA", description = "The rows to score.")
  private Path data;

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

  @Mixin private LeniencyOptions leniency = new LeniencyOptions();

  @Mixin private TextOutput out = new TextOutput();

  @Option(names = "--json", description = "Write each row as a line of JSON, not CSV.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    LedgerVersion version = OfflineModel.read(model);
    FileHeader header = FileHeader.of(data);
    String labelField = label == null ? null : Columns.field(header, label, "--label");
    String environmentField =
        environment == null ? null : Columns.field(header, environment, "--environment");
    HeldFile held =
        ModelColumns.of(version, leniency.leniency())
            .with(labelField, Kind.NUMBER)
            .with(environmentField, Kind.TEXT)
            .open(data);
    var scores = new OfflineScores(version, held.file(), labelField, environmentField);
    Console console = Console.of(spec);
    console.notes(held.unseen().notes());
    out.write(console, writer -> score(scores, held, writer));
    if (scores.clipped() > 0) {
      console.notes(
          List.of(
              Sentence.of(
                  "%d values are beyond those that the linear base was fitted to, and count as the"
                      + " nearest of these",
                  scores.clipped())));
    }
    return ExitCode.OK;
  }

  private void score(OfflineScores scores, HeldFile held, PrintWriter writer) {
    if (!json) {
      writer.println(header(scores.objective()));
    }
    try (Progress progress = Progress.of("Scoring", held.file().rows())) {
      scores.forEach(
          (row, prediction, probabilities, rawScores) -> {
            writer.println(
                json
                    ? json(row, prediction, probabilities, rawScores)
                    : csv(row, prediction, probabilities, rawScores));
            progress.step();
          });
    }
    writer.flush();
    Evaluated evaluated = scores.evaluation().orElse(null);
    if (json) {
      printLast(evaluated, held.unseen(), writer);
    } else if (evaluated != null) {
      PrintWriter err = Console.of(spec).err();
      err.print(Evaluations.table(evaluated.all(), evaluated.environments()));
      err.flush();
    }
  }

  /** Two classes need no column each: the prediction is the probability of 1. */
  private static boolean hasProbabilities(int classes) {
    return classes > 2;
  }

  private static String header(Objective objective) {
    StringBuilder header = new StringBuilder("row,prediction");
    for (int k = 0; hasProbabilities(objective.classes()) && k < objective.classes(); k++) {
      header.append(",probability").append(k);
    }
    for (int k = 0; k < objective.outputs(); k++) {
      header.append(",rawScore").append(objective.outputs() == 1 ? "" : k);
    }
    return header.toString();
  }

  private static String csv(
      long row, double prediction, double[] probabilities, double[] rawScores) {
    StringBuilder line = new StringBuilder().append(row).append(',').append(prediction);
    for (int k = 0; hasProbabilities(probabilities.length) && k < probabilities.length; k++) {
      line.append(',').append(probabilities[k]);
    }
    for (double rawScore : rawScores) {
      line.append(',').append(rawScore);
    }
    return line.toString();
  }

  private static String json(
      long row, double prediction, double[] probabilities, double[] rawScores) {
    ObjectNode node = Json.object().put("row", row);
    Json.put(node, "prediction", prediction);
    if (probabilities.length > 0) {
      Json.put(node, "probabilities", probabilities);
    }
    if (rawScores.length == 1) {
      Json.put(node, "rawScore", rawScores[0]);
    } else {
      Json.put(node, "rawScores", rawScores);
    }
    return Json.line(node);
  }

  /** What the scores are worth, and what the model had never seen, if there is either. */
  private static void printLast(
      @Nullable Evaluated evaluated, UnseenCategories unseen, PrintWriter writer) {
    ObjectNode node = Json.object();
    if (evaluated != null) {
      ObjectNode all = node.putObject("evaluation");
      Evaluations.json(all, evaluated.all());
      ArrayNode environments = all.putArray("environments");
      for (Evaluation one : evaluated.environments()) {
        Evaluations.json(environments.addObject().put("environment", one.environment()), one);
      }
    }
    if (!unseen.counts().isEmpty()) {
      node.set("unseenCategories", Evaluations.json(unseen));
    }
    if (!node.isEmpty()) {
      writer.println(Json.line(node));
      writer.flush();
    }
  }
}
