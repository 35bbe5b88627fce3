package io.holdfast.bench.robust;

import io.holdfast.bench.data.DataFolder;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.RiskSummary;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.boosting.simulate.StructuralStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Ways to be robust, on environments that training has not seen. */
@Command(
    name = "robust",
    description = {
      "Measures gamma, its ladder, Group-DRO weights and worst-environment leaves on environments",
      "that training has not seen: structural equations by strength of the shift, and data sets."
    },
    mixinStandardHelpOptions = true)
public final class RobustCommand implements Callable<Integer> {
  private static final int PARTS = 4;
  private static final List<Double> DIAL = List.of(0.0, 1.0, 2.0, 3.0, 4.0);

  @Spec CommandSpec spec;

  @Option(names = "--data", description = "The folder with the shared data sets.")
  @Nullable Path data;

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
      defaultValue = "4000",
      description = "Rows of a data set at most, a seeded draw (${DEFAULT-VALUE}).")
  int rows;

  @Option(
      names = "--rounds",
      defaultValue = "50",
      description = "Rounds of every way (${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--seeds",
      defaultValue = "5",
      description = "Structural streams to take the mean over (${DEFAULT-VALUE}).")
  int seeds;

  @Option(names = "--linear", description = "Let trees stand on a linear base, a ridge of 0.01.")
  boolean linear;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
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
    return 0;
  }

  private BoosterSettings settings(Objective objective) {
    return BoosterSettings.builder(objective)
        .rounds(rounds)
        .linearBase(linear ? new LinearBase(0.01, 0) : null)
        .seed(1)
        .build();
  }

  /** Trained where the shift has strength 1, tested where it has others. */
  private MarkdownTable structural(Objective objective) {
    List<String> header = new ArrayList<>(List.of("worst environment's risk by shift"));
    DIAL.forEach(strength -> header.add(MarkdownTable.figure(strength)));
    MarkdownTable table = new MarkdownTable(header);
    for (Way way : Way.all()) {
      double[][] worst = new double[way.strengths().size() + 1][DIAL.size()];
      TreeMap<String, Integer> chosen = new TreeMap<>();
      for (int seed = 1; seed <= seeds; seed++) {
        Drawn drawn = draw(objective, 1, seed, rows);
        Way.Chosen found = way.choose(settings(objective), drawn.features(), drawn.rows(), PARTS);
        chosen.merge(way.strengths().get(found.place()), 1, Integer::sum);
        for (int k = 0; k < DIAL.size(); k++) {
          Rows test = draw(objective, DIAL.get(k), seed + 1_000, rows).rows();
          worst[0][k] += Risks.worst(found.model(), test) / seeds;
          for (int of = 0; of < found.models().size(); of++) {
            worst[of + 1][k] += Risks.worst(found.models().get(of), test) / seeds;
          }
        }
      }
      List<String> names = names(way, chosen);
      for (int line = 0; line < names.size(); line++) {
        List<String> cells = new ArrayList<>(List.of(names.get(line)));
        for (double risk : worst[line]) {
          cells.add(MarkdownTable.figure(risk));
        }
        table.add(cells);
      }
    }
    return table;
  }

  /** The chosen strengths in bold, then each by itself; a way of one strength has one line. */
  private static List<String> names(Way way, Map<String, Integer> chosen) {
    if (way.strengths().size() == 1) {
      return List.of("**" + way.name() + "**");
    }
    List<String> names = new ArrayList<>();
    names.add("**" + way.name() + "**, chosen: " + said(chosen));
    way.strengths().forEach(strength -> names.add(way.name() + ": " + strength));
    return names;
  }

  /** Simulated rows with their columns. */
  private record Drawn(List<Feature> features, Rows rows) {}

  private static Drawn draw(Objective objective, double strength, int seed, int count) {
    SimulatedStream stream =
        objective.name().equals("squared")
            ? StructuralStream.regression(6, row -> strength, seed)
            : StructuralStream.binary(6, row -> strength, seed);
    Rows.Builder rows = Rows.builder(stream.features().size());
    for (int row = 0; row < count; row++) {
      SimulatedRow next = stream.next();
      rows.add(next.features(), next.label(), stream.environments().get(next.environment()));
    }
    return new Drawn(stream.features(), rows.build());
  }

  private MarkdownTable leavingOut(Task task) {
    LabelledRows all = LabelledRows.read(DataFolder.of(data), task);
    Rows drawn = Split.sample(all.rows(), rows, 1);
    List<String> header = new ArrayList<>(List.of("way"));
    header.addAll(RiskSummary.header("gamma 1"));
    MarkdownTable table = new MarkdownTable(header);
    double[] reference = {};
    for (Way way : Way.all()) {
      double[][] risks = new double[way.strengths().size() + 1][drawn.environments().size()];
      TreeMap<String, Integer> chosen = new TreeMap<>();
      for (int left = 0; left < drawn.environments().size(); left++) {
        Split split = Split.leavingOut(drawn, left);
        Way.Chosen found =
            way.choose(settings(task.objective()), all.features(), split.train(), PARTS);
        chosen.merge(way.strengths().get(found.place()), 1, Integer::sum);
        risks[0][left] = Risks.worst(found.model(), split.test());
        for (int of = 0; of < found.models().size(); of++) {
          risks[of + 1][left] = Risks.worst(found.models().get(of), split.test());
        }
      }
      reference = reference.length == 0 ? risks[0] : reference;
      List<String> names = names(way, chosen);
      for (int line = 0; line < names.size(); line++) {
        List<String> cells = new ArrayList<>(List.of(names.get(line)));
        cells.addAll(RiskSummary.cells(risks[line], reference));
        table.add(cells);
      }
    }
    return table;
  }

  private static String said(Map<String, Integer> chosen) {
    return chosen.entrySet().stream()
        .map(entry -> entry.getValue() + " × " + entry.getKey())
        .collect(Collectors.joining(", "));
  }
}
