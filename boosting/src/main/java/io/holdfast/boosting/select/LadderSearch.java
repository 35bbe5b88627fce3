package io.holdfast.boosting.select;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.select.GammaChoice.Trial;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses gamma as {@link GammaSearch} does, at the price of one gamma: trees are grown with the
 * present gamma alone, and a {@link GammaLadder} gives them the leaf values of the others (a linear
 * base is fitted with each). It holds on to the present gamma: another must lose less by a margin
 * and, where the mean decides, in most of the environments left out. Immutable and stateless; the
 * choice is a function of the arguments.
 *
 * @param gammas the candidates, ascending; the present one is always one more
 * @param criterion what is made of the held-out losses of the environments
 * @param margin by which share of the present loss another must be lower, 0 or more
 * @param minEnvironments environments to hold out at least; with fewer the present gamma stays
 * @param minRows an environment with fewer rows is always trained on
 * @param parts groups that environments are left out in at most, 2 or more
 */
public record LadderSearch(
    List<Double> gammas,
    Criterion criterion,
    double margin,
    int minEnvironments,
    int minRows,
    int parts) {
  /** Judged by the worst environment, with a margin of 1%. */
  public static final LadderSearch DEFAULT =
      new LadderSearch(List.of(1.0, 2.0, 4.0, 7.0, 16.0), new Criterion.Worst(), 0.01, 3, 20, 4);

  public LadderSearch {
    var _ = new GammaLadder(gammas); // which says what is wrong with them
    gammas = List.copyOf(gammas);
    Check.that(
        margin >= 0 && margin < Double.POSITIVE_INFINITY,
        "margin must be 0 or more and finite: %s",
        margin);
    Check.that(minEnvironments >= 2, "minEnvironments must be at least 2: %s", minEnvironments);
    Check.that(minRows >= 1, "minRows must be at least 1: %s", minRows);
    Check.that(parts >= 2, "parts must be at least 2: %s", parts);
  }

  public LadderSearch by(Criterion other) {
    return new LadderSearch(gammas, other, margin, minEnvironments, minRows, parts);
  }

  /**
   * The gamma to train with.
   *
   * @param settings of the training to come; their gamma is the present one
   * @throws IllegalArgumentException in one sentence, as {@link Booster#extend} does
   */
  public GammaChoice choose(BoosterSettings settings, List<Feature> features, Rows rows) {
    HeldOutGroups groups = HeldOutGroups.of(rows, minEnvironments, minRows, parts);
    if (groups.environments().isEmpty()) {
      return new GammaChoice(settings.gamma(), settings.rounds(), List.of());
    }
    List<Double> candidates = candidates(settings.gamma());
    double[][] losses = new double[candidates.size()][groups.environments().size()];
    for (HeldOutGroups.Group group : groups.groups()) {
      Rows train = rows.subset(group.train());
      Rows test = rows.subset(group.test());
      int[] places = groups.places(test);
      List<Model> models = fitted(settings, candidates, features, train);
      for (int k = 0; k < losses.length; k++) {
        double[] found = EnvironmentWeights.losses(models.get(k), test);
        for (int e = 0; e < found.length; e++) {
          losses[k][places[e]] = found[e];
        }
      }
    }
    return choice(settings, candidates, losses);
  }

  private static List<Model> fitted(
      BoosterSettings settings, List<Double> gammas, List<Feature> features, Rows train) {
    if (settings.linearBase() != null) {
      return gammas.stream()
          .map(gamma -> settings.toBuilder().gamma(gamma).build())
          .map(one -> new Booster(one).fit(features, train).model())
          .toList();
    }
    Model grown = new Booster(settings).fit(features, train).model();
    return new GammaLadder(gammas)
        .of(settings, grown, train).stream().map(GammaVariant::model).toList();
  }

  private List<Double> candidates(double present) {
    List<Double> candidates = new ArrayList<>(gammas);
    if (!candidates.contains(present)) {
      candidates.add(present);
      candidates.sort(null);
    }
    return candidates;
  }

  private GammaChoice choice(BoosterSettings settings, List<Double> gammas, double[][] losses) {
    int present = gammas.indexOf(settings.gamma());
    int best = present;
    List<Trial> trials = new ArrayList<>();
    for (int k = 0; k < losses.length; k++) {
      trials.add(new Trial(gammas.get(k), settings.rounds(), criterion, losses[k]));
    }
    for (int k = 0; k < losses.length; k++) {
      double bar = trials.get(present).risk() * (1 - margin);
      if (trials.get(k).risk() < bar
          && trials.get(k).risk() < trials.get(best).risk()
          && mostAgree(losses[k], losses[present])) {
        best = k;
      }
    }
    return new GammaChoice(gammas.get(best), settings.rounds(), trials);
  }

  /** A mean may be that of one environment; who insures the worst wants just that one heard. */
  private boolean mostAgree(double[] one, double[] other) {
    int wins = 0;
    for (int e = 0; e < one.length; e++) {
      wins += one[e] < other[e] ? 1 : 0;
    }
    return !(criterion instanceof Criterion.Mean) || 2 * wins > one.length;
  }
}
