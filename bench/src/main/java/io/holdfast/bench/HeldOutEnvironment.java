package io.holdfast.bench;

import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.data.Split;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.boosting.select.GammaSearch;
import io.holdfast.boosting.select.HeldOutLosses;
import java.util.List;

/**
 * One environment left out: what models of every gamma, trained on the others, lose on it.
 * Immutable.
 *
 * <p>How many rounds each gamma gets is chosen inside the training rows, by leaving out their
 * environments in turn: the same rule for all, and blind to the environment tested on. Risk is mean
 * excess loss.
 */
final class HeldOutEnvironment {
  private final String name;
  private final HeldOutLosses inner;
  private final double[][] risks; // of a gamma, by round
  private final double constantRisk;

  private HeldOutEnvironment(
      String name, HeldOutLosses inner, double[][] risks, double constantRisk) {
    this.name = name;
    this.inner = inner;
    this.risks = risks;
    this.constantRisk = constantRisk;
  }

  /** Trains it all; takes long. */
  static HeldOutEnvironment measure(
      BoosterSettings settings, GammaSearch search, LabelledRows all, int environment) {
    Split split = Split.leavingOut(all.rows(), environment);
    Objective objective = settings.objective();
    List<Feature> features = all.features();
    var untrained = Booster.untrained(settings, features);
    HeldOutLosses inner = search.measure(settings, untrained, features, split.train());
    var held = new EarlyStopping(split.test(), new Criterion.Mean(), Integer.MAX_VALUE);
    double[][] risks = new double[search.gammas().size()][settings.rounds() + 1];
    for (int k = 0; k < risks.length; k++) {
      double[] byRound = risks[k];
      var candidate = settings.toBuilder().gamma(search.gammas().get(k)).build();
      new Booster(candidate)
          .fit(
              features,
              split.train(),
              held,
              new FitListener() {
                @Override
                public void afterRound(int round, AnchorLoss anchorLoss) {
                  // Only what is held out counts.
                }

                @Override
                public void afterValidation(int round, double loss, double[] losses) {
                  byRound[round] = loss;
                }
              });
    }
    return new HeldOutEnvironment(
        all.rows().environments().get(environment),
        inner,
        risks,
        MeanLoss.ofConstant(objective, split.train(), split.test()));
  }

  String name() {
    return name;
  }

  /** The risk of the constant fitted to the other environments. */
  double constantRisk() {
    return constantRisk;
  }

  /** The rounds that a gamma, by its place, got. */
  int rounds(int gamma) {
    GammaChoice choice = inner.choose(new Criterion.Mean(), true);
    return choice.trials().isEmpty() ? inner.rounds() : choice.trials().get(gamma).rounds();
  }

  /** The risk of a gamma, by its place, after the rounds that it got. */
  double risk(int gamma) {
    return risks[gamma][rounds(gamma)];
  }

  /** The risk of a gamma, by its place, after all rounds. */
  double riskAfterAllRounds(int gamma) {
    return risks[gamma][inner.rounds()];
  }

  /** The gamma that a criterion of the other environments chooses, and its risk. */
  Auto auto(Criterion criterion) {
    GammaChoice choice = inner.choose(criterion, true);
    int place = inner.gammas().indexOf(choice.gamma());
    return new Auto(choice.gamma(), choice.rounds(), risks[place][choice.rounds()]);
  }

  /** A gamma that was chosen without the environment, and what it lost on it. */
  record Auto(double gamma, int rounds, double risk) {}
}
