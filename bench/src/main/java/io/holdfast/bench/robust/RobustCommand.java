package io.holdfast.bench.robust;

import io.holdfast.bench.data.DataOptions;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.RiskSummary;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ways to be robust, on environments that training has not seen. */
@Command(
    name = "robust",
    description = {
      "Measures gamma, its ladder, Group-DRO weights and worst-environment leaves on environments",
      "that training has not seen: structural equations by strength of the shift, and data sets."
    })
public final class RobustCommand extends BenchCommand {
  private static final double[] STRENGTHS = {0, 1, 2, 3, 4};
  private static final int ENVIRONMENTS = 6;

  @Mixin DataOptions data;

  @Option(
      names = "--tasks",
      split = ",",
      defaultValue =
          "structural-squared,structural-logistic,turbine-squared,cover-logistic,bikes-squared,"
              + "weather-squared",
      description = "What to learn (${DEFAULT-VALUE}).")
  List<String> tasks;

  @Option(
      names = "--rows",
      description = "Rows of a data set at most, a seeded draw (${DEFAULT-VALUE}).")
  int rows = 4_000;

  @Option(names = "--rounds", description = "Rounds of every way (${DEFAULT-VALUE}).")
  int rounds = 50;

  @Option(
      names = "--seeds",
      description = "Structural streams to take the mean over (${DEFAULT-VALUE}).")
  int seeds = 5;

  @Option(names = "--linear", description = "Let trees stand on a linear base, a ridge of 0.01.")
  boolean linear;

  @Override
  protected void run(PrintWriter out) {
    for (String task : tasks) {
      out.print("\n### " + task + "\n\n");
      out.print(
          switch (task) {
            case "structural-squared" -> structural(Objective.named("squared"));
            case "structural-logistic" -> structural(Objective.named("logistic"));
            default -> leavingOut(Task.named(task));
          });
      out.flush();
    }
  }

  /** A way at work: the worst environment's risks, of what it chose and then of each strength. */
  private final class Trial {
    private final Way way;
    private final double[][] risks; // a column a test
    private final TreeMap<String, Integer> chosen = new TreeMap<>();

    Trial(Way way, int tests) {
      this.way = way;
      risks = new double[way.strengths().size() + 1][tests];
    }

    /** Trains; the models of all strengths behind the one chosen. */
    List<Model> models(Objective objective, List<Feature> features, Rows train) {
      BoosterSettings settings =
          BoosterSettings.builder(objective)
              .rounds(rounds)
              .linearBase(linear ? new LinearBase(0.01, 0) : null)
              .seed(1)
              .build();
      int place = way.choose(settings, features, train);
      chosen.merge(way.strengths().get(place), 1, Integer::sum);
      List<Model> models = new ArrayList<>(way.training().models(settings, features, train));
      models.addFirst(models.get(place));
      return models;
    }

    void test(List<Model> models, int column, Rows test, int times) {
      for (int line = 0; line < models.size(); line++) {
        double worst = new Criterion.Worst().of(Way.risks(models.get(line), test));
        risks[line][column] += worst / times;
      }
    }

    /** The chosen strengths in bold, then each by itself; a way of one strength has one line. */
    void print(MarkdownTable table, Function<double[], List<String>> figures) {
      List<String> names = new ArrayList<>();
      if (way.strengths().size() == 1) {
        names.add("**" + way.name() + "**");
      } else {
        names.add(
            chosen.entrySet().stream()
                .map(entry -> entry.getValue() + " × " + entry.getKey())
                .collect(Collectors.joining(", ", "**" + way.name() + "**, chosen: ", "")));
        way.strengths().forEach(strength -> names.add(way.name() + ": " + strength));
      }
      for (int line = 0; line < names.size(); line++) {
        List<String> cells = new ArrayList<>(List.of(names.get(line)));
        cells.addAll(figures.apply(risks[line]));
        table.add(cells);
      }
    }
  }

  /** Trained where the shift has strength 1, tested where it has others. */
  private MarkdownTable structural(Objective objective) {
    List<String> header = new ArrayList<>(List.of("worst environment's risk by shift"));
    header.addAll(figures(STRENGTHS));
    var table = new MarkdownTable(header);
    for (Way way : Way.ALL) {
      var trial = new Trial(way, STRENGTHS.length);
      for (int seed = 1; seed <= seeds; seed++) {
        StructuralRows train = draw(objective, 1, seed);
        List<Model> models = trial.models(objective, train.features(), train.rows());
        for (int k = 0; k < STRENGTHS.length; k++) {
          trial.test(models, k, draw(objective, STRENGTHS[k], seed + 1_000).rows(), seeds);
        }
      }
      trial.print(table, RobustCommand::figures);
    }
    return table;
  }

  private StructuralRows draw(Objective objective, double strength, int seed) {
    return objective.name().equals("squared")
        ? StructuralRows.squared(ENVIRONMENTS, strength, seed, rows)
        : StructuralRows.binary(ENVIRONMENTS, strength, seed, rows);
  }

  private static List<String> figures(double... values) {
    return Arrays.stream(values).mapToObj(MarkdownTable::figure).toList();
  }

  private MarkdownTable leavingOut(Task task) {
    LabelledRows all = LabelledRows.read(data.folder(), task);
    Rows drawn = Split.sample(all.rows(), rows, 1);
    List<String> header = new ArrayList<>(List.of("way"));
    header.addAll(RiskSummary.header("gamma 1"));
    var table = new MarkdownTable(header);
    double[] reference = {};
    for (Way way : Way.ALL) {
      var trial = new Trial(way, drawn.environments().size());
      for (int left = 0; left < drawn.environments().size(); left++) {
        Split split = Split.leavingOut(drawn, left);
        List<Model> models = trial.models(task.objective(), all.features(), split.train());
        trial.test(models, left, split.test(), 1);
      }
      reference = reference.length == 0 ? trial.risks[0] : reference;
      double[] against = reference;
      trial.print(table, risks -> RiskSummary.cells(risks, against));
    }
    return table;
  }
}
