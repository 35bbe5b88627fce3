package io.holdfast.cli.backtest;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.learn.BacktestRun.Candidate;
import io.holdfast.cli.learn.ShiftCurve;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ModelOptions;
import io.holdfast.cli.options.ResultOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.cli.report.ShiftPage;
import io.holdfast.schemas.settings.keys.Key.Flag.Group;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "shift",
    description = "Shows what a model loses by the strength of a simulated shift.",
    customSynopsis = "@|bold holdfast shift|@ --objective=NAME [FLAGS]",
    modelTransformer = ModelOptions.Flags.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast shift --objective squared --gamma 1,4,16 --report shift.html",
      "  holdfast shift --objective logistic --gamma 1 --compare update.policy=append,auto --json",
      "",
      "Rows are drawn from structural equations: causes, noise, and shortcuts that tell of a"
          + " hidden",
      "confounder within an environment and mislead between environments, the more so the stronger",
      "the shift. The trainer's own code learns from one strength, as from a stream whose labels",
      "come at once; what then serves is measured on new rows under each strength, in all and in",
      "the environment that loses most.",
    })
public final class ShiftCommand extends BaseCommand implements ModelOptions.Command {

  private final ModelOptions flags =
      new ModelOptions(Group.OBJECTIVE, Group.ANCHOR, Group.TREES, Group.START, Group.WINDOWS);

  @Option(
      names = "--compare",
      paramLabel = "KEY=VALUE,...",
      description =
          "Models that differ in a key of the configuration, as in update.policy=append,auto; with"
              + " several of these every combination. --gamma takes a list, too.")
  private List<String> compared = new ArrayList<>();

  @Option(
      names = "--strengths",
      split = ",",
      paramLabel = "NUMBER,...",
      defaultValue = "0,0.5,1,1.5,2,3,4",
      description = "The strengths that are measured (default: ${DEFAULT-VALUE}).")
  private List<Double> strengths;

  @Option(
      names = "--learned-at",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "The strength that is learned from (default: ${DEFAULT-VALUE}).")
  private double learnedAt;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Rows learned from, and of each test (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--environments",
      paramLabel = "N",
      defaultValue = "5",
      description = "Environments that the shift goes along (default: ${DEFAULT-VALUE}).")
  private int environments;

  @Mixin private ResultOptions output;

  @Override
  protected void run() {
    check();
    List<Candidate> candidates = candidates();
    ShiftCurve curve =
        new ShiftCurve(
            rows,
            environments,
            learnedAt,
            strengths,
            candidates.getFirst().settings().booster().seed());
    List<Shifted> results = new ArrayList<>();
    try (Progress progress = Progress.of("Shift", (long) rows * candidates.size())) {
      for (Candidate candidate : candidates) {
        results.add(Shifted.of(candidate, curve.of(candidate.settings(), progress::step)));
      }
    }
    var result = new Curves(rows, environments, learnedAt, strengths, results);
    Console console = console();
    if (!output.write(result, ShiftPage::of, console)) {
      print(result, console);
    }
  }

  private record Curves(
      int rows,
      int environments,
      double learnedAt,
      List<Double> strengths,
      List<Shifted> candidates) {}

  /** A model's losses by strength, in all and in the worst environment, and the last version. */
  private record Shifted(
      String name,
      List<Double> loss,
      List<Double> worst,
      long versions,
      int trees,
      double servedGamma,
      Digest hash,
      JsonNode settings) {
    static Shifted of(Candidate candidate, ShiftCurve.Result result) {
      LedgerVersion last = result.last();
      return new Shifted(
          candidate.name(),
          result.losses(),
          result.worst(),
          last.number() + 1,
          last.model().trees(),
          last.servedGamma(),
          last.hash(),
          Json.parse(candidate.settings().trainingJson()));
    }
  }

  private void check() {
    CommandException.usageIf(
        rows < 1 || environments < 2,
        "--rows must be 1 or more and --environments 2 or more: %d and %d",
        rows,
        environments);
    for (double strength : strengths) {
      CommandException.usageIf(
          !Double.isFinite(strength), "--strengths must be finite: %s", strength);
    }
    CommandException.usageIf(
        !Double.isFinite(learnedAt), "--learned-at must be finite: %s", learnedAt);
  }

  private List<Candidate> candidates() {
    flags.set("label", "label");
    flags.set("environment", "environment");
    List<Candidate> candidates =
        BacktestCandidates.combined(
                flags, compared, keys -> ModelOptions.changed("shift", flags.all(), keys))
            .stream()
            // Environments come beside the records, as with labels in a topic.
            .map(
                one ->
                    new Candidate(
                        one.name(), one.settings().withLabelsInTopic(Duration.ofHours(1))))
            .toList();
    Objective objective = candidates.getFirst().settings().booster().objective();
    CommandException.usageIf(
        !ShiftCurve.takes(objective),
        "--objective must be one for real values or for two classes, as simulated labels are: %s",
        objective.name());
    return candidates;
  }

  private static void print(Curves result, Console console) {
    console.line(
        "Loss by strength of the shift, learned at %s%n%n%s",
        result.learnedAt(), table(result, Shifted::loss));
    console.line(
        "The same in the environment that loses most%n%n%s", table(result, Shifted::worst));
  }

  private static Table table(Curves result, Function<Shifted, List<Double>> figures) {
    List<String> header = new ArrayList<>(List.of("strength"));
    result.candidates().forEach(model -> header.add(model.name()));
    Table table = new Table(header);
    for (int at = 0; at < result.strengths().size(); at++) {
      List<String> cells = new ArrayList<>(List.of("" + result.strengths().get(at)));
      for (Shifted model : result.candidates()) {
        cells.add(Table.figure(figures.apply(model).get(at)));
      }
      table.line(cells);
    }
    return table;
  }

  @Override
  public ModelOptions modelOptions() {
    return flags;
  }
}
