package io.holdfast.cli.backtest;

import static io.holdfast.cli.print.Table.figure;

import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.cli.backtest.BacktestResult.ModelResult;
import io.holdfast.cli.config.ConfigWriter;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.EventTimes;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.Backtest;
import io.holdfast.cli.learn.BacktestRun;
import io.holdfast.cli.learn.BacktestRun.Candidate;
import io.holdfast.cli.learn.BacktestRun.Result;
import io.holdfast.cli.learn.LabelDelay;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.learn.OfflineTest.InEnvironment;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.ModelOptions;
import io.holdfast.cli.options.ResultOptions;
import io.holdfast.cli.options.TimeOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.report.BacktestPage;
import io.holdfast.cli.report.DriftTable;
import io.holdfast.cli.report.Evaluations;
import io.holdfast.cli.report.Reports;
import io.holdfast.cli.report.WindowTable;
import io.holdfast.cli.stream.TopicOffsets;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.Key.Flag.Group;
import io.holdfast.trainer.policy.AutoPolicy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "backtest",
    description = "Replays a file without Kafka: every row is scored, then learned from.",
    customSynopsis = {
      "@|bold holdfast backtest|@ --data=DATA --label=COLUMN --objective=NAME [FLAGS]",
      "       @|bold holdfast backtest|@ --data=DATA --config=FILE [--model=NAME] [FLAGS]",
    },
    modelTransformer = ModelOptions.Flags.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast backtest --data stream.csv.gz --label y --environment month \\",
      "      --objective logistic --window 1000 --delay 500",
      "  holdfast backtest --data bikes.csv --config holdfast.yml --model bikes --json",
      "  holdfast backtest --data stream.csv --label y --environment site --objective squared \\",
      "      --gamma 1,4,16 --delay 200..2000 --report gammas.html",
      "",
      "Runs the trainer and the scorer that run on Kafka. A row is scored by the version that",
      "serves when it comes; its label arrives --delay later; each window is evaluated before",
      "it is trained on. 'constant' is the loss of the best constant for the rows before. Figures",
      "of the stream stand beside those of who predicts no change from the newest label that has",
      "arrived, and of who predicts the commonest class or the mean of those that have.",
    })
public final class BacktestCommand extends BaseCommand implements ModelOptions.Command {
  private static final int MOST_WINDOWS = 50;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DATA",
      arity = "1..*",
      description = "The rows, oldest first: a file or several, or - for standard input.")
  private List<DataSource> sources;

  @Mixin private ConfigOptions config = new ConfigOptions();

  private final ModelOptions flags =
      new ModelOptions(
          Group.COLUMNS, Group.OBJECTIVE, Group.ANCHOR, Group.TREES, Group.START, Group.WINDOWS);

  @Option(
      names = "--delay",
      paramLabel = "DELAY",
      defaultValue = "0",
      description = {
        "How much later a label arrives (default: ${DEFAULT-VALUE} rows): rows (1000) or time by"
            + " --time (2h), at random between two (500..1500, 1h..3d), others in some"
            + " environments (500,north=2000)."
      })
  private String delay;

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private TimeOptions times = new TimeOptions();

  @Option(
      names = "--compare",
      paramLabel = "KEY=VALUE,...",
      description =
          "Run models that differ in a key of the configuration side by side, as in"
              + " window.rows=500,1000; with several of these every combination. --gamma takes a"
              + " list, too.")
  private List<String> compared = new ArrayList<>();

  @Option(
      names = "--coverage",
      split = ",",
      paramLabel = "SHARE,...",
      hideParamSyntax = true,
      description =
          "Give each row an interval, or a set of classes, that holds its label so often, as in 0.9"
              + " or 0.5,0.9.")
  private List<Double> levels = new ArrayList<>();

  @Option(
      names = "--offsets-of-log",
      description =
          "With --config: give examples the offsets that they have on the model's examples topic"
              + " (of one partition), so that versions have the hashes of the trainer's own.")
  private boolean offsetsOfLog;

  @Option(
      names = "--write-config",
      paramLabel = "FILE",
      description =
          "Write a configuration with the settings of least loss, for service and trainer: that of"
              + " --config with these settings in it, or one with this model alone.")
  private @Nullable OutputFile target;

  @Mixin private ResultOptions output;

  @Override
  protected void run() {
    LabelDelay labelDelay = delay();
    DataSource data = DataSource.of(sources);
    BacktestCandidates input = BacktestCandidates.of(data, flags, config, compared);
    CommandException.usageIf(
        labelDelay.timed() && input.given().time() == null,
        "--delay %s is a time, so the rows need one: name its column with --time",
        delay);
    Console console = console();
    DataFile file = input.file();
    EventTimes rowTimes = times(input);
    var run =
        new BacktestRun(
            file, labelDelay, Clock.systemUTC(), offsets(input.given()), rowTimes, levels());
    List<Result> results = run(run, input.all(), file.rows());
    writeConfig(results);
    console.notes(input.notes());
    console.notes(TimeOptions.notes(rowTimes));
    results.forEach(one -> untrained(one, results.size() > 1).ifPresent(console::note));
    results.stream()
        .flatMap(one -> AutoPolicy.withoutEffect(one.candidate().settings()).stream())
        .distinct()
        .forEach(console::note);
    var result = BacktestResult.of(data.toString(), file.rows(), delay, results);
    if (!output.write(result, BacktestPage::of, console)) {
      print(result, results, console);
    }
  }

  private void writeConfig(List<Result> results) {
    if (target != null) {
      Result best =
          results.stream()
              .min(Comparator.comparingDouble(result -> result.outcome().judged().loss()))
              .orElseThrow();
      ConfigWriter.write(target, config.path(), best.candidate().settings());
    }
  }

  private @Nullable EventTimes times(BacktestCandidates input) {
    String time = input.given().time();
    return times.of(
        input.file(),
        time == null ? null : Columns.field(input.file(), ColumnName.of(time), "--time"));
  }

  private LongUnaryOperator offsets(ModelSettings model) {
    if (!offsetsOfLog) {
      return LongUnaryOperator.identity();
    }
    CommandException.usageIf(
        !config.given(), "--offsets-of-log needs --config, which names the broker");
    return TopicOffsets.read(config.settings().kafka(), model.topics().examples());
  }

  private List<Double> levels() {
    try {
      return levels.isEmpty()
          ? List.of()
          : Thresholds.none(levels.stream().sorted().distinct().toList()).levels();
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--coverage: %s", e.getMessage());
    }
  }

  private LabelDelay delay() {
    try {
      return LabelDelay.parse(delay);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--delay: %s", e.getMessage());
    }
  }

  private static List<Result> run(BacktestRun run, List<Candidate> candidates, long rows) {
    try (Progress progress = Progress.of("Backtest", rows)) {
      return run.run(candidates, rows, progress::step);
    }
  }

  private static void print(BacktestResult result, List<Result> results, Console console) {
    if (result.only() == null) {
      console.line("%s", Evaluations.table(results));
    } else {
      print(result.only(), console);
    }
  }

  /** A note if nothing was learned in time. */
  private static Optional<String> untrained(Result result, boolean named) {
    Backtest.Outcome outcome = result.outcome();
    if (outcome.byConstants() < outcome.rows()) {
      return Optional.empty();
    }
    return Optional.of(
        Sentence.of(
            "%sall %d rows were scored by constants, since no window of %d labels was full before"
                + " the last row came: figures are not of a trained model (more rows, a smaller"
                + " --window or a shorter --delay give one)",
            named ? result.candidate().name() + ": " : "",
            outcome.rows(),
            result.candidate().settings().window().rows()));
  }

  @Override
  public ModelOptions modelOptions() {
    return flags;
  }

  private static void printWindows(List<WindowReport> windows, Console console) {
    if (windows.size() <= MOST_WINDOWS) {
      console.line("%s", WindowTable.of(windows));
      return;
    }
    console.line("%s", WindowTable.inStretches(windows));
    console.line(
        "A line stands for several of %d windows, with their means by rows; --json has each.%n",
        windows.size());
  }

  private static void print(ModelResult result, Console console) {
    LastQuarter quarter = result.lastQuarter();
    printWindows(result.windows(), console);
    String drift = DriftTable.of(result.windows());
    if (!drift.isEmpty()) {
      console.line("%s", drift);
    }
    String reasons = DriftTable.reasons(result.windows());
    if (!reasons.isEmpty()) {
      console.line("%s", reasons);
    }
    List<InEnvironment> environments = result.environments();
    console.line(
        "%s",
        Evaluations.table(result.total(), environments.size() > 1 ? environments : List.of()));
    console.line("%s", Evaluations.table(result.stream()));
    if (result.coverage() != null) {
      console.line("%s", Evaluations.table(result.coverage()));
    }
    console.line(
        "Last quarter (%d rows): loss %s, constant model %s, %s.",
        quarter.rows(),
        figure(quarter.loss()),
        figure(quarter.constantLoss()),
        Reports.gain(quarter));
    if (result.rowsWithoutLabel() > 0) {
      console.line("%d rows had no label.", result.rowsWithoutLabel());
    }
    if (result.inputsClipped() > 0) {
      console.line(
          "%d values were beyond what the linear base had learned from, and counted as its ends.",
          result.inputsClipped());
    }
    if (result.scoresFarBeyondLabels() > 0) {
      console.line(
          "%d scores were far beyond all labels that had come: further away than these lie apart.",
          result.scoresFarBeyondLabels());
    }
    result
        .unusable()
        .forEach((reason, rows) -> console.line("%d rows not learned from: %s.", rows, reason));
  }
}
