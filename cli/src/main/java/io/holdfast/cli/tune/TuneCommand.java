package io.holdfast.cli.tune;

import static io.holdfast.cli.print.Table.figure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.config.ConfigWriter;
import io.holdfast.cli.data.EventTimes;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.BacktestRun;
import io.holdfast.cli.learn.FileRows;
import io.holdfast.cli.learn.LabelDelay;
import io.holdfast.cli.learn.OfflineFit;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.Columns;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.DialectOptions;
import io.holdfast.cli.options.FitDefaults;
import io.holdfast.cli.options.FoldOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.options.ModelOptions;
import io.holdfast.cli.options.ModelledFile;
import io.holdfast.cli.options.TimeOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.validate.FoldSplit;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.Key.Flag.Group;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "tune",
    description = "Looks for settings that lose less on rows not learned from.",
    customSynopsis = {
      "@|bold holdfast tune|@ --data=DATA --label=COLUMN --objective=NAME [FLAGS]",
      "       @|bold holdfast tune|@ --data=DATA --config=FILE [--model=NAME] [FLAGS]",
    },
    modelTransformer = ModelOptions.Flags.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast tune --data sales.csv --label won --objective logistic --cv time:5 \\",
      "      --budget 10m --resume sales.tune --write-config tuned.yml",
      "  holdfast tune --data stream.csv --config holdfast.yml --cv stream --delay 500 \\",
      "      --budget 40 --write-config tuned.yml",
      "",
      "Nine settings learn from a ninth of the rows, the best three from a third, the best from",
      "all, and so on until the budget is spent; --config or the other flags are the given",
      "settings, which take part. A count finds the same again, however many threads there are.",
    })
public final class TuneCommand extends BaseCommand implements ModelOptions.Command {
  private static final Pattern BUDGET = Pattern.compile("(\\d{1,6})(s|m|h)?");
  private static final int MOST = 100_000;
  private static final String STREAM = "stream";

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DATA",
      arity = "1..*",
      description = "The rows, oldest first: a file or several, or - for standard input.")
  private List<DataSource> sources;

  @Option(
      names = "--cv",
      paramLabel = "HOW",
      defaultValue = "time:5",
      description =
          "What tells: fits of what was before (time:5) or of other environments (environment), or"
              + " a replay as backtest does (stream) (default: ${DEFAULT-VALUE}).")
  private String cv;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "mean",
      description = "Which loss decides: mean, or worst of the environments (default: mean).")
  private String by;

  @Option(
      names = "--budget",
      paramLabel = "BUDGET",
      defaultValue = "5m",
      description =
          "So many settings (40), or until so long has passed (60s, 10m, 1h)"
              + " (default: ${DEFAULT-VALUE}).")
  private String budget;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description = "Keep what was tried in a file, and go on from there if it is there.")
  private @Nullable Path resume;

  @Option(
      names = "--write-config",
      paramLabel = "FILE",
      description =
          "Write a configuration with the settings of least loss: that of --config with these"
              + " settings in it, or one with this model alone.")
  private @Nullable OutputFile target;

  @Option(
      names = "--delay",
      paramLabel = "DELAY",
      description = "Of --cv stream: how much later a label arrives, as of backtest.")
  private @Nullable String delay;

  @Mixin private ConfigOptions config = new ConfigOptions();

  private final ModelOptions flags =
      new ModelOptions(
          Group.COLUMNS, Group.OBJECTIVE, Group.ANCHOR, Group.TREES, Group.START, Group.WINDOWS);

  @SuppressWarnings("unused") // its flags are for all files of the command
  @Mixin
  private DialectOptions dialect = new DialectOptions();

  @Mixin private TimeOptions times = new TimeOptions();
  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    boolean stream = cv.equals(STREAM);
    Halving.Budget limit = limit();
    CommandException.usageIf(
        !by.equals("mean") && !by.equals("worst"), "--by must be mean or worst: %s", by);
    CommandException.usageIf(
        delay != null && !stream, "--delay is of --cv stream alone: fits by folds know no delay");
    DataSource data = DataSource.of(sources);
    FitDefaults defaults = new FitDefaults(flags);
    if (!stream) {
      defaults.take(false);
    }
    Runnable counted = stream ? () -> {} : defaults::raiseTreeBudget;
    ModelledFile input = ModelledFile.of("tuned", data, flags, config, counted);
    ModelSettings settings = input.settings();
    CommandException.usageIf(
        by.equals("worst") && settings.environment() == null,
        "--by worst is about environments: name their column with --environment");
    output.console().notes(input.notes());
    long rows;
    Trials trials;
    if (stream) {
      rows = input.file().rows();
      trials = stream(input);
    } else {
      FoldSplit split = FoldOptions.split(cv, settings);
      OfflineFit.Data read =
          OfflineFit.Data.read(settings, input.file(), FileRows.ALL, split.byTime());
      output.console().notes(read.notes());
      rows = read.rows().rows().size();
      trials = folds(read, split, settings, input.file().name());
    }
    SearchSpace space = new SearchSpace(settings, input.variants(), stream);
    Halving.Found found =
        new Halving(
                trials,
                space::draw,
                state(settings, data, rows),
                limit,
                Clock.systemUTC(),
                this::tell)
            .run(rows);
    TuningResult result = TuningResult.of(data.toString(), rows, cv, by, found, space::draw);
    if (target != null) {
      ModelSettings best = space.draw(found.best().candidate()).settings();
      ConfigWriter.write(target, config.path(), best);
    }
    output.print(result, (console, one) -> one.print(settings.name(), console), target);
  }

  private Trials folds(OfflineFit.Data read, FoldSplit split, ModelSettings settings, String file) {
    try {
      return new FoldTrials(
          read.features(),
          read.rows(),
          split,
          by.equals("worst"),
          settings.booster().seed(),
          Runtime.getRuntime().availableProcessors());
    } catch (IllegalArgumentException e) {
      throw new DataException("%s: %s", file, e.getMessage());
    }
  }

  private Trials stream(ModelledFile input) {
    LabelDelay later;
    try {
      later = LabelDelay.parse(delay == null ? "0" : delay);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--delay: %s", e.getMessage());
    }
    String time = input.settings().time();
    CommandException.usageIf(
        later.timed() && time == null,
        "--delay %s is a time, so the rows need one: name its column with --time",
        delay);
    EventTimes known =
        times.of(
            input.file(),
            time == null ? null : Columns.field(input.file(), ColumnName.of(time), "--time"));
    var run =
        new BacktestRun(
            input.file(), later, Clock.systemUTC(), LongUnaryOperator.identity(), known, List.of());
    return new StreamTrials(run, by.equals("worst"));
  }

  private TuningState state(ModelSettings settings, DataSource data, long rows) {
    if (resume == null) {
      return TuningState.inMemory();
    }
    ObjectNode what = Json.tree(Map.of());
    what.put("data", data.toString());
    what.put("rows", rows);
    what.put("cv", cv);
    what.put("by", by);
    what.put("delay", delay);
    what.set("settings", Json.parse(settings.trainingJson()));
    return TuningState.of(resume, what);
  }

  private void tell(Halving.Progress progress) {
    Console console = output.console();
    int best = progress.best().candidate();
    if (!console.quiet()) {
      console
          .err()
          .println(
              Sentence.of(
                  "%s: %,d settings drawn, %d of them tried on %,d rows; least loss so far %s%s",
                  progress.spent().truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
                  progress.drawn(),
                  progress.tried(),
                  progress.rows(),
                  figure(progress.best().loss()),
                  best == 0
                      ? ", as given"
                      : " (#" + best + "), given " + figure(progress.given().loss())));
      console.err().flush();
    }
  }

  private Halving.Budget limit() {
    Matcher matcher = BUDGET.matcher(budget);
    CommandException.usageIf(
        !matcher.matches() || Integer.parseInt(matcher.group(1)) < 1,
        "--budget must be a number of settings (40) or a time (60s, 10m, 1h): %s",
        budget);
    int amount = Integer.parseInt(matcher.group(1));
    return switch (matcher.group(2)) {
      case null -> new Halving.Budget(amount, null);
      case "s" -> new Halving.Budget(MOST, Duration.ofSeconds(amount));
      case "m" -> new Halving.Budget(MOST, Duration.ofMinutes(amount));
      default -> new Halving.Budget(MOST, Duration.ofHours(amount));
    };
  }

  @Override
  public ModelOptions modelOptions() {
    return flags;
  }
}
