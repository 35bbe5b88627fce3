package io.holdfast.cli.backtest;

import static io.holdfast.cli.print.Table.figure;

import io.holdfast.cli.backtest.BacktestResult.Tuned;
import io.holdfast.cli.learn.BacktestRun;
import io.holdfast.cli.learn.BacktestRun.Candidate;
import io.holdfast.cli.learn.BacktestRun.Result;
import io.holdfast.cli.learn.SearchSpace;
import io.holdfast.cli.learn.Tuning;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.file.OutputFile;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The search for settings that {@code holdfast backtest} may do. */
final class TuningOptions {
  private static final Pattern BUDGET = Pattern.compile("(\\d{1,9})(s|m|h)?");

  @Option(
      names = "--tune",
      paramLabel = "BUDGET",
      description =
          "Look for better settings: so many candidates (40), or as many as take about so long"
              + " (60s, 10m), by successive halving; the second half of the rows that a round sees"
              + " decides; the same count finds the same.")
  private @Nullable String budget;

  @Option(
      names = "--tune-by",
      paramLabel = "WHAT",
      defaultValue = "mean",
      description =
          "What decides: the mean loss, or that of the worst environment (mean, worst; default:"
              + " mean).")
  private String by = "mean";

  @Option(
      names = "--write-config",
      paramLabel = "FILE",
      description =
          "Write a configuration with the settings of least loss, for service and trainer: that of"
              + " --config with these settings in it, or one with this model alone.")
  private @Nullable OutputFile target;

  boolean given() {
    return budget != null;
  }

  record Found(@Nullable Tuned tuned, List<Result> results) {}

  Found run(BacktestCandidates input, BacktestRun run, Console console, boolean talk) {
    CommandException.usageIf(
        input.all().size() > 1, "--tune takes one model to start from: compare none");
    CommandException.usageIf(
        !by.equals("mean") && !by.equals("worst"), "--tune-by must be mean or worst: %s", by);
    Candidate given = new Candidate("as given", input.given());
    Tuning tuning =
        new Tuning(
            input.file().rows(),
            by.equals("worst"),
            (candidates, rows) -> {
              try (Progress progress = Progress.of("Tuning " + candidates.size(), rows)) {
                return run.run(candidates, rows, progress::step);
              }
            });
    int count = count(tuning, given);
    List<Tuning.Round> rounds =
        tuning.run(given, SearchSpace.draw(input.given(), input.variants(), count - 1));
    if (talk) {
      Table table = new Table("rows", "candidates", "best", "loss", "as given");
      for (Tuning.Round round : rounds) {
        Result best = round.results().getFirst();
        table.line(
            round.rows(),
            round.results().size(),
            best.candidate().name(),
            figure(tuning.loss(best)),
            figure(
                round.results().stream()
                    .filter(result -> result.candidate().equals(given))
                    .mapToDouble(tuning::loss)
                    .findFirst()
                    .orElse(Double.NaN)));
      }
      console.line("%s", table);
      console.line("--tune %d finds the same again.", count);
    }
    return new Found(
        new Tuned(count, by, rounds.stream().map(round -> round(round, tuning)).toList()),
        List.of(rounds.getLast().results().getFirst()));
  }

  private static BacktestResult.Round round(Tuning.Round round, Tuning tuning) {
    return new BacktestResult.Round(
        round.rows(),
        round.results().stream()
            .map(
                result ->
                    new BacktestResult.Tried(
                        result.candidate().name(), tuning.loss(result), result.cpuSeconds()))
            .toList());
  }

  private int count(Tuning tuning, Candidate given) {
    Matcher matcher = BUDGET.matcher(String.valueOf(budget));
    CommandException.usageIf(
        !matcher.matches() || Integer.parseInt(matcher.group(1)) < 1,
        "--tune must be a number of candidates (40) or a time (60s, 10m, 1h): %s",
        budget);
    long amount = Long.parseLong(matcher.group(1));
    long seconds =
        switch (matcher.group(2)) {
          case null -> 0;
          case "s" -> amount;
          case "m" -> 60 * amount;
          default -> 3_600 * amount;
        };
    return seconds == 0
        ? Math.toIntExact(amount)
        : tuning.candidatesFor(
            given,
            seconds * 1_000_000_000L,
            work -> {
              long begin = System.nanoTime();
              work.run();
              return System.nanoTime() - begin;
            });
  }

  void writeConfig(ConfigOptions config, List<Result> results) {
    if (target != null) {
      Result best =
          results.stream()
              .min(Comparator.comparingDouble(result -> result.outcome().judged().loss()))
              .orElseThrow();
      ConfigWriter.write(target, config.path(), best.candidate().settings());
    }
  }
}
