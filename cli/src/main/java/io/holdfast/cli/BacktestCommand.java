package io.holdfast.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.cli.ModelFlag.Group;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.learn.Backtest;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast backtest}. */
@Command(
    name = "backtest",
    description = "Replays a file without Kafka: every row is scored, then learned from.",
    customSynopsis = {
      "@|bold holdfast backtest|@ --data=DATA --label=COLUMN --objective=NAME [FLAGS]",
      "       @|bold holdfast backtest|@ --data=DATA --config=FILE [--model=NAME] [FLAGS]",
    },
    mixinStandardHelpOptions = true,
    modelTransformer = ModelOptions.Flags.class,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast backtest --data stream.csv.gz --label y --environment month \\",
      "      --objective logistic --window 1000 --delay 500",
      "  holdfast backtest --data bikes.csv --config holdfast.yml --model bikes --json",
      "",
      "Runs the trainer and the scorer that run on Kafka. A row is scored by the version that",
      "serves when it comes; its label arrives --delay rows later; each window is evaluated before",
      "it is trained on. 'constant' is the loss of the best constant for the rows before. Figures",
      "of the stream stand beside those of who predicts no change from the newest label that has",
      "arrived, and of who predicts the commonest class or the mean of those that have.",
    })
final class BacktestCommand implements Callable<Integer>, ModelOptions.Command {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DATA",
      description = "The rows, oldest first: CSV (.gz) or Avro.")
  private Path data;

  @Mixin private ConfigOptions config = new ConfigOptions();

  private final ModelOptions flags =
      new ModelOptions(
          Group.COLUMNS, Group.OBJECTIVE, Group.ANCHOR, Group.TREES, Group.START, Group.WINDOWS);

  @Option(
      names = "--delay",
      paramLabel = "ROWS",
      defaultValue = "0",
      description = "How many rows later a label arrives (default: ${DEFAULT-VALUE}).")
  private int delay;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    if (delay < 0) {
      throw CommandException.usage("--delay must be 0 or more: %d", delay);
    }
    ModelledFiles input = ModelledFiles.of("backtest", List.of(data), flags, config);
    DataFile file = input.files().getFirst();
    Backtest.Outcome outcome;
    try (Progress progress = Progress.of("Backtest", file.rows())) {
      outcome = new Backtest(file, input.settings(), delay, Clock.systemUTC()).run(progress::step);
    }
    Console console = Console.of(spec);
    if (json) {
      console.json(json(outcome, file));
    } else {
      print(outcome, console);
    }
    return ExitCode.OK;
  }

  @Override
  public ModelOptions modelOptions() {
    return flags;
  }

  private ObjectNode json(Backtest.Outcome outcome, DataFile file) {
    ObjectNode node = Json.object().put("file", data.toString()).put("rows", file.rows());
    node.put("rowsWithoutLabel", outcome.withoutLabel());
    ObjectNode unusable = node.putObject("unusable");
    outcome.unusable().forEach(unusable::put);
    node.put("delay", delay);
    node.put("versions", outcome.last().number() + 1);
    node.put("trees", outcome.last().model().trees());
    node.put("hash", outcome.last().hash().toString());
    Evaluations.json(node.putObject("total"), outcome.all());
    ArrayNode environments = node.putArray("environments");
    for (Evaluation one : outcome.environments()) {
      Evaluations.json(environments.addObject().put("environment", one.environment()), one);
    }
    ObjectNode stream = node.putObject("stream");
    stream.set("cumulative", Evaluations.json(outcome.cumulative()));
    stream.set("windowed", Evaluations.json(outcome.windowed()));
    stream.set("fading", Evaluations.json(outcome.fading()));
    node.set("lastQuarter", Reports.json(LastQuarter.of(outcome.windows())));
    node.set("windows", Reports.json(outcome.windows()));
    return node;
  }

  private static void print(Backtest.Outcome outcome, Console console) {
    LastQuarter quarter = LastQuarter.of(outcome.windows());
    console.line("%s", Reports.table(outcome.windows()));
    console.line(
        "%s",
        Evaluations.table(
            outcome.all(), outcome.environments().size() > 1 ? outcome.environments() : List.of()));
    console.line(
        "%s", Evaluations.table(outcome.cumulative(), outcome.windowed(), outcome.fading()));
    console.line(
        "Last quarter (%d windows, %d rows): loss %s, constant model %s, %s.",
        quarter.windows(),
        quarter.rows(),
        Table.figure(quarter.loss()),
        Table.figure(quarter.constantLoss()),
        Reports.gain(quarter));
    if (outcome.withoutLabel() > 0) {
      console.line("%d rows had no label.", outcome.withoutLabel());
    }
    outcome
        .unusable()
        .forEach((reason, rows) -> console.line("%d rows not learned from: %s.", rows, reason));
  }
}
