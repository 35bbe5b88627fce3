package io.holdfast.bench.robust;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.select.GammaLadder;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.boosting.select.GroupDro;
import io.holdfast.boosting.select.WorstEnvironmentLeaves;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A way to be robust, in several strengths.
 *
 * @param strengths what its candidates are called; the first is plain boosting
 * @param training makes a model of each strength from the same rows
 */
record Way(String name, List<String> strengths, Training training) {
  private static final List<Double> GAMMAS = List.of(1.0, 2.0, 4.0, 7.0, 16.0);
  private static final List<String> GAMMA_NAMES = List.of("1", "2", "4", "7", "16");
  private static final int MOST_FOLDS = 4;

  /** Makes a model of each strength. */
  @FunctionalInterface
  interface Training {
    List<Model> models(BoosterSettings settings, List<Feature> features, Rows rows);
  }

  /** All there are; the first is what the others are measured against. */
  static final List<Way> ALL =
      List.of(
          new Way("gamma 1", List.of("1"), (s, f, r) -> List.of(byGamma(1, s, f, r))),
          new Way(
              "gamma, trees anew",
              GAMMA_NAMES,
              (s, f, r) -> GAMMAS.stream().map(gamma -> byGamma(gamma, s, f, r)).toList()),
          new Way("gamma ladder on trees of gamma 1", GAMMA_NAMES, (s, f, r) -> ladder(s, f, r, 1)),
          new Way("gamma ladder on trees of gamma 4", GAMMA_NAMES, (s, f, r) -> ladder(s, f, r, 4)),
          new Way("Group-DRO weights", List.of("plain", "0", "0.05", "0.2", "0.5"), Way::weighted),
          new Way(
              "worst-environment leaves",
              List.of("plain", "5 turns", "20 turns", "20 full turns"),
              Way::worstLeaves));

  private static Model byGamma(
      double gamma, BoosterSettings settings, List<Feature> features, Rows rows) {
    return new Booster(settings.toBuilder().gamma(gamma).build()).fit(features, rows).model();
  }

  private static List<Model> ladder(
      BoosterSettings settings, List<Feature> features, Rows rows, double grownBy) {
    BoosterSettings grown = settings.toBuilder().gamma(grownBy).build();
    Model fitted = new Booster(grown).fit(features, rows).model();
    return new GammaLadder(GAMMAS)
        .of(grown, fitted, rows).stream().map(GammaVariant::model).toList();
  }

  private static List<Model> weighted(BoosterSettings settings, List<Feature> features, Rows rows) {
    List<Model> models = new ArrayList<>(List.of(byGamma(1, settings, features, rows)));
    for (double step : new double[] {0, 0.05, 0.2, 0.5}) {
      models.add(new GroupDro(step, 1).fit(settings, features, rows).model());
    }
    return models;
  }

  private static List<Model> worstLeaves(
      BoosterSettings settings, List<Feature> features, Rows rows) {
    Model plain = byGamma(1, settings, features, rows);
    List<Model> models = new ArrayList<>(List.of(plain));
    for (WorstEnvironmentLeaves leaves :
        List.of(
            new WorstEnvironmentLeaves(5, 0.5, 0.5),
            WorstEnvironmentLeaves.DEFAULT,
            new WorstEnvironmentLeaves(20, 1, 1))) {
      models.add(leaves.of(settings, plain, rows).model());
    }
    return models;
  }

  /** Mean excess losses by environment. */
  static double[] risks(Model model, Rows rows) {
    return EnvironmentLosses.excess(model.objective(), rows, Scorer.of(model).scores(rows));
  }

  /**
   * The place of the strength with the least mean, over environments, of the loss on those left
   * out; of equal ones the first.
   */
  int choose(BoosterSettings settings, List<Feature> features, Rows rows) {
    double[] risks = new double[strengths.size()];
    int folds = risks.length == 1 ? 0 : Math.min(MOST_FOLDS, rows.environments().size());
    for (int fold = 0; fold < folds; fold++) {
      int left = fold;
      Rows train = subset(rows, row -> rows.environment(row) % folds != left);
      Rows test = subset(rows, row -> rows.environment(row) % folds == left);
      List<Model> models = training.models(settings, features, train);
      for (int k = 0; k < risks.length; k++) {
        for (double loss : risks(models.get(k), test)) {
          risks[k] += loss;
        }
      }
    }
    int best = 0;
    for (int k = 1; k < risks.length; k++) {
      best = risks[k] < risks[best] ? k : best;
    }
    return best;
  }

  private static Rows subset(Rows rows, IntPredicate wanted) {
    return rows.subset(IntStream.range(0, rows.size()).filter(wanted).toArray());
  }
}
