package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.learn.OfflineModel;
import io.holdfast.cli.learn.OfflineScores;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.ledger.LedgerVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
      "One line a row: its number in the file, the prediction (a mean, the probability of label 1, or",
      "the likeliest of several classes), with several classes the probability of each, and the raw",
      "score, or one a class. With --label, an evaluation follows: as the last line of --json, on",
      "standard error otherwise.",
    })
final class ScoreCommand implements Callable<Integer> {
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

  @Mixin private TextOutput out = new TextOutput();

  @Option(names = "--json", description = "Write each row as a line of JSON, not CSV.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    LedgerVersion version = OfflineModel.read(model);
    Set<String> text = new LinkedHashSet<>(OfflineScores.categories(version));
    if (environment != null) {
      text.add(environment);
    }
    DataFile file = DataFile.open(data, text);
    var scores =
        new OfflineScores(
            version,
            file,
            label == null ? null : Columns.field(file, label, "--label"),
            environment == null ? null : Columns.field(file, environment, "--environment"));
    Console console = Console.of(spec);
    out.write(console, writer -> score(scores, file.rows(), writer));
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

  private void score(OfflineScores scores, long rows, PrintWriter writer) {
    if (!json) {
      writer.println(header(scores.objective()));
    }
    try (Progress progress = Progress.of("Scoring", rows)) {
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
    scores.evaluation().ifPresent(evaluation -> print(evaluation, writer));
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

  private void print(OfflineScores.Evaluated evaluated, PrintWriter writer) {
    if (!json) {
      PrintWriter err = Console.of(spec).err();
      err.print(Evaluations.table(evaluated.all(), evaluated.environments()));
      err.flush();
      return;
    }
    ObjectNode node = Json.object();
    ObjectNode all = node.putObject("evaluation");
    Evaluations.json(all, evaluated.all());
    ArrayNode environments = all.putArray("environments");
    for (Evaluation one : evaluated.environments()) {
      Evaluations.json(environments.addObject().put("environment", one.environment()), one);
    }
    writer.println(Json.line(node));
    writer.flush();
  }
}
