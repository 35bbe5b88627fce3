package io.holdfast.bench.robust;

import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Fixed gammas and those that are chosen, in simulated worlds. */
@Command(
    name = "gammas",
    description = {
      "Fits models with fixed gammas and with those that auto chooses, by worst and by mean, in",
      "simulated worlds; measures them on environments that training has not seen."
    },
    mixinStandardHelpOptions = true)
public final class GammasCommand implements Callable<Integer> {
  private static final Criterion MEAN = new Criterion.Mean();
  private static final Criterion WORST = new Criterion.Worst();
  private static final long UNSEEN = 1_000_000; // seeds of tests are this far from those of rows

  @Spec CommandSpec spec;

  @Option(
      names = "--repetitions",
      defaultValue = "20",
      description = "Of each world (${DEFAULT-VALUE}).")
  int repetitions;

  @Option(
      names = "--environments",
      defaultValue = "8",
      description = "That are learned from (${DEFAULT-VALUE}).")
  int environments;

  @Option(
      names = "--rows",
      defaultValue = "60",
      description = "Of an environment (${DEFAULT-VALUE}).")
  int rows;

  @Option(names = "--rounds", defaultValue = "40", description = "Trees (${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--strengths",
      split = ",",
      defaultValue = "1,2",
      description = "Of the shift of unseen environments; learned is 1 (${DEFAULT-VALUE}).")
  List<Double> strengths;

  @Option(
      names = "--gammas",
      split = ",",
      defaultValue = "0,1,2,4,7,16,64",
      description = "That are fixed (${DEFAULT-VALUE}).")
  List<Double> gammas;

  /** Risks by what was done: sums over repetitions, worst and mean of each strength. */
  private static final class Risks {
    private final Map<String, double[]> sums = new LinkedHashMap<>();
    private final Map<String, Map<Double, Integer>> chosen = new LinkedHashMap<>();

    void add(String way, double gamma, double[][] losses) {
      double[] sum = sums.computeIfAbsent(way, _ -> new double[2 * losses.length]);
      for (int k = 0; k < losses.length; k++) {
        sum[2 * k] += WORST.of(losses[k]);
        sum[2 * k + 1] += MEAN.of(losses[k]);
      }
      if (!way.startsWith("gamma")) {
        chosen.computeIfAbsent(way, _ -> new TreeMap<>()).merge(gamma, 1, Integer::sum);
      }
    }
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (boolean linearBase : List.of(false, true)) {
      for (boolean linear : List.of(false, true)) {
        for (boolean anchored : List.of(true, false)) {
          AnchorWorld world = new AnchorWorld(linear, anchored);
          out.print(
              "\n### "
                  + (linearBase ? "linear base and trees, " : "trees, ")
                  + (linear ? "linear world, " : "non-linear world, ")
                  + (anchored ? "with an anchor effect" : "without an anchor effect")
                  + "\n\n"
                  + table(measured(world, linearBase)));
          out.flush();
        }
      }
    }
    return 0;
  }

  private Risks measured(AnchorWorld world, boolean linearBase) {
    BoosterSettings settings =
        BoosterSettings.builder(new Squared())
            .rounds(rounds)
            .learningRate(0.1)
            .trees(new TreeLimits(15, 5, 10, 1e-3, 0))
            .linearBase(linearBase ? new LinearBase(1, 0) : null)
            .seed(1)
            .build();
    Risks risks = new Risks();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      Rows train = world.rows(environments, rows, 1, repetition);
      List<Rows> unseen = new ArrayList<>();
      for (double strength : strengths) {
        unseen.add(world.rows(2 * environments, rows, strength, UNSEEN + repetition));
      }
      TreeMap<Double, double[][]> byGamma = new TreeMap<>();
      for (double gamma : gammas) {
        risks.add("gamma " + gamma, gamma, losses(settings, gamma, world, train, unseen, byGamma));
      }
      for (Criterion criterion : List.of(WORST, MEAN)) {
        String by = criterion.equals(WORST) ? "worst" : "mean";
        double once =
            GammaSearch.DEFAULT.by(criterion).choose(settings, world.features(), train).gamma();
        risks.add("fit, " + by, once, losses(settings, once, world, train, unseen, byGamma));
        double online =
            LadderSearch.DEFAULT.by(criterion).choose(settings, world.features(), train).gamma();
        risks.add("stream, " + by, online, losses(settings, online, world, train, unseen, byGamma));
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
      risks.add("best in hindsight", best, losses(settings, best, world, train, unseen, byGamma));
    }
    return risks;
  }

  private static double[][] losses(
      BoosterSettings settings,
      double gamma,
      AnchorWorld world,
      Rows train,
      List<Rows> unseen,
      Map<Double, double[][]> known) {
    return known.computeIfAbsent(
        gamma,
        _ -> {
          BoosterSettings one = settings.toBuilder().gamma(gamma).build();
          Model model = new Booster(one).fit(world.features(), train).model();
          return unseen.stream()
              .map(
                  test ->
                      EnvironmentLosses.excess(
                          model.objective(), test, Scorer.scoresOf(model, test)))
              .toArray(double[][]::new);
        });
  }

  private MarkdownTable table(Risks risks) {
    List<String> header = new ArrayList<>(List.of("gamma"));
    for (double strength : strengths) {
      header.add("worst at " + strength);
      header.add("mean at " + strength);
    }
    header.add("chosen (times)");
    MarkdownTable table = new MarkdownTable(header);
    risks.sums.forEach(
        (way, sums) -> {
          List<String> cells = new ArrayList<>(List.of(way));
          for (double sum : sums) {
            cells.add(MarkdownTable.figure(sum / repetitions));
          }
          List<String> chosen = new ArrayList<>();
          risks
              .chosen
              .getOrDefault(way, Map.of())
              .forEach((gamma, times) -> chosen.add(gamma + " (" + times + ")"));
          cells.add(String.join(", ", chosen));
          table.add(cells);
        });
    return table;
  }
}
