package io.holdfast.bench.robust;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.select.GammaSearch;
import io.holdfast.boosting.select.LadderSearch;
import io.holdfast.boosting.simulate.AnchorWorld;
import io.holdfast.boosting.split.TreeLimits;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fixed gammas and those that are chosen, in simulated worlds. */
@Command(
    name = "gammas",
    description = {
      "Fits models with fixed gammas and with those that auto chooses, by worst and by mean, in",
      "simulated worlds; measures them on environments that training has not seen."
    })
public final class GammasCommand extends BenchCommand {
  private static final Criterion MEAN = new Criterion.Mean();
  private static final Criterion WORST = new Criterion.Worst();
  private static final long UNSEEN = 1_000_000; // seeds of tests are this far from those of rows
  private static final double[] STRENGTHS = {1, 2}; // of the unseen shift; learned is 1
  private static final double[] GAMMAS = {0, 1, 2, 4, 7, 16, 64};

  @Option(names = "--repetitions", description = "Of each world (${DEFAULT-VALUE}).")
  int repetitions = 20;

  @Option(names = "--environments", description = "That are learned from (${DEFAULT-VALUE}).")
  int environments = 8;

  @Option(names = "--rows", description = "Of an environment (${DEFAULT-VALUE}).")
  int rows = 60;

  @Option(names = "--rounds", description = "Trees (${DEFAULT-VALUE}).")
  int rounds = 40;

  @Override
  protected void run(PrintWriter out) {
    for (boolean linearBase : List.of(false, true)) {
      for (boolean linear : List.of(false, true)) {
        for (boolean anchored : List.of(true, false)) {
          out.print(
              "\n### "
                  + (linearBase ? "linear base and trees, " : "trees, ")
                  + (linear ? "linear world, " : "non-linear world, ")
                  + (anchored ? "with an anchor effect" : "without an anchor effect")
                  + "\n\n"
                  + new Trial(new AnchorWorld(linear, anchored), linearBase).table());
          out.flush();
        }
      }
    }
  }

  /** All ways in one world. */
  private final class Trial {
    private final AnchorWorld world;
    private final BoosterSettings settings;

    /** Risks by what was done: sums over repetitions, worst and mean of each strength. */
    private final Map<String, double[]> sums = new LinkedHashMap<>();

    private final Map<String, Map<Double, Integer>> chosen = new LinkedHashMap<>();

    Trial(AnchorWorld world, boolean linearBase) {
      this.world = world;
      settings =
          BoosterSettings.builder(new Squared())
              .rounds(rounds)
              .learningRate(0.1)
              .trees(new TreeLimits(15, 5, 10, 1e-3, 0))
              .linearBase(linearBase ? new LinearBase(1, 0) : null)
              .seed(1)
              .build();
      for (int repetition = 1; repetition <= repetitions; repetition++) {
        repeat(repetition);
      }
    }

    private void repeat(int repetition) {
      Rows train = world.rows(environments, rows, 1, repetition);
      List<Rows> unseen = new ArrayList<>();
      for (double strength : STRENGTHS) {
        unseen.add(world.rows(2 * environments, rows, strength, UNSEEN + repetition));
      }
      TreeMap<Double, double[][]> byGamma = new TreeMap<>();
      for (double gamma : GAMMAS) {
        add("gamma " + gamma, gamma, train, unseen, byGamma);
      }
      for (Criterion by : List.of(WORST, MEAN)) {
        String name = by.equals(WORST) ? "worst" : "mean";
        double once = GammaSearch.DEFAULT.by(by).choose(settings, world.features(), train).gamma();
        add("fit, " + name, once, train, unseen, byGamma);
        double online =
            LadderSearch.DEFAULT.by(by).choose(settings, world.features(), train).gamma();
        add("stream, " + name, online, train, unseen, byGamma);
      }
      double least = Double.POSITIVE_INFINITY;
      double best = 1;
      for (Map.Entry<Double, double[][]> one : byGamma.entrySet()) {
        double worst = WORST.of(one.getValue()[0]);
        if (worst < least) {
          least = worst;
          best = one.getKey();
        }
      }
      add("best in hindsight", best, train, unseen, byGamma);
    }

    private void add(
        String way,
        double gamma,
        Rows train,
        List<Rows> unseen,
        Map<Double, double[][]> lossesByGamma) {
      double[][] losses =
          lossesByGamma.computeIfAbsent(
              gamma,
              _ -> {
                BoosterSettings one = settings.toBuilder().gamma(gamma).build();
                Model model = new Booster(one).fit(world.features(), train).model();
                return unseen.stream().map(test -> Way.risks(model, test)).toArray(double[][]::new);
              });
      double[] sum = sums.computeIfAbsent(way, _ -> new double[2 * losses.length]);
      for (int k = 0; k < losses.length; k++) {
        sum[2 * k] += WORST.of(losses[k]);
        sum[2 * k + 1] += MEAN.of(losses[k]);
      }
      if (!way.startsWith("gamma")) {
        chosen.computeIfAbsent(way, _ -> new TreeMap<>()).merge(gamma, 1, Integer::sum);
      }
    }

    MarkdownTable table() {
      List<String> header = new ArrayList<>(List.of("gamma"));
      for (double strength : STRENGTHS) {
        header.add("worst at " + strength);
        header.add("mean at " + strength);
      }
      header.add("chosen (times)");
      var table = new MarkdownTable(header);
      sums.forEach(
          (way, risks) -> {
            List<String> cells = new ArrayList<>(List.of(way));
            for (double sum : risks) {
              cells.add(MarkdownTable.figure(sum / repetitions));
            }
            List<String> times = new ArrayList<>();
            chosen
                .getOrDefault(way, Map.of())
                .forEach((gamma, count) -> times.add(gamma + " (" + count + ")"));
            cells.add(String.join(", ", times));
            table.add(cells);
          });
      return table;
    }
  }
}
