package io.holdfast.cli.backtest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.learn.BacktestRun.Candidate;
import io.holdfast.cli.learn.ShiftCurve;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.ModelOptions;
import io.holdfast.cli.options.ResultOptions;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.cli.report.BacktestPage;
import io.holdfast.schemas.settings.keys.Key.Flag.Group;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast shift}. */
@Command(
    name = "shift",
    description = "Shows what a model loses by the strength of a simulated shift.",
    customSynopsis = "@|bold holdfast shift|@ --objective=NAME [FLAGS]",
    mixinStandardHelpOptions = true,
    modelTransformer = ModelOptions.Flags.class,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast shift --objective squared --gamma 1,4,16 --report shift.html",
      "  holdfast shift --objective logistic --gamma 1 --compare update.policy=append,auto --json",
      "",
      "Rows are drawn from structural equations: causes, noise, and shortcuts that tell of a hidden",
      "confounder within an environment and mislead between environments, the more so the stronger",
      "the shift. The trainer's own code learns from one strength, as from a stream whose labels",
      "come at once; what then serves is measured on new rows under each strength, in all and in",
      "the environment that loses most.",
    })
public final class ShiftCommand implements Callable<Integer>, ModelOptions.Command {

  @Spec private CommandSpec spec;

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
  public Integer call() {
    check();
    List<Candidate> candidates = candidates();
    ShiftCurve curve =
        new ShiftCurve(
            rows,
            environments,
            learnedAt,
            strengths,
            candidates.getFirst().settings().booster().seed());
    List<ShiftCurve.Result> results = new ArrayList<>();
    try (Progress progress = Progress.of("Shift", (long) rows * candidates.size())) {
      for (Candidate candidate : candidates) {
        results.add(curve.of(candidate.settings(), progress::step));
      }
    }
    write(json(curve, candidates, results), curve, candidates, results);
    return ExitCode.OK;
  }

  private void check() {
    if (rows < 1 || environments < 2) {
      throw CommandException.usage(
          "--rows must be 1 or more and --environments 2 or more: %d and %d", rows, environments);
    }
    for (double strength : strengths) {
      if (!Double.isFinite(strength)) {
        throw CommandException.usage("--strengths must be finite: %s", strength);
      }
    }
    if (!Double.isFinite(learnedAt)) {
      throw CommandException.usage("--learned-at must be finite: %s", learnedAt);
    }
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
    if (!ShiftCurve.takes(objective)) {
      throw CommandException.usage(
          "--objective must be one for real values or for two classes, as simulated labels are: %s",
          objective.name());
    }
    return candidates;
  }

  private ObjectNode json(
      ShiftCurve curve, List<Candidate> candidates, List<ShiftCurve.Result> results) {
    ObjectNode node = Json.object().put("rows", rows).put("environments", environments);
    node.put("learnedAt", learnedAt);
    Json.put(node, "strengths", numbers(curve.strengths()));
    ArrayNode models = node.putArray("candidates");
    for (int k = 0; k < results.size(); k++) {
      ShiftCurve.Result result = results.get(k);
      ObjectNode model = models.addObject().put("name", candidates.get(k).name());
      Json.put(model, "loss", numbers(result.losses()));
      Json.put(model, "worst", numbers(result.worst()));
      model.put("versions", result.last().number() + 1);
      model.put("trees", result.last().model().trees());
      Json.put(model, "servedGamma", result.last().servedGamma());
      model.put("hash", result.last().hash().hex());
      model.set("settings", Json.parse(candidates.get(k).settings().trainingJson()));
    }
    return node;
  }

  private static double[] numbers(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private void write(
      ObjectNode node,
      ShiftCurve curve,
      List<Candidate> candidates,
      List<ShiftCurve.Result> results) {
    Console console = Console.of(spec);
    if (output.write(node, BacktestPage::ofShift, console)) {
      return;
    }
    List<String> names = candidates.stream().map(Candidate::name).toList();
    console.line(
        "Loss by strength of the shift, learned at %s%n%n%s",
        figure(learnedAt), table(curve, names, results, ShiftCurve.Result::losses));
    console.line(
        "The same in the environment that loses most%n%n%s",
        table(curve, names, results, ShiftCurve.Result::worst));
  }

  private static Table table(
      ShiftCurve curve,
      List<String> names,
      List<ShiftCurve.Result> results,
      Function<ShiftCurve.Result, List<Double>> figures) {
    List<String> header = new ArrayList<>(List.of("strength"));
    header.addAll(names);
    Table table = new Table(header.toArray(String[]::new));
    for (int at = 0; at < curve.strengths().size(); at++) {
      List<String> cells = new ArrayList<>(List.of(figure(curve.strengths().get(at))));
      for (ShiftCurve.Result result : results) {
        cells.add(Table.figure(figures.apply(result).get(at)));
      }
      table.line(cells.toArray(String[]::new));
    }
    return table;
  }

  private static String figure(double strength) {
    return String.format(Locale.ROOT, "%s", strength);
  }

  @Override
  public ModelOptions modelOptions() {
    return flags;
  }
}
