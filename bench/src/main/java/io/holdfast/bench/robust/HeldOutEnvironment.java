package io.holdfast.bench.robust;

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
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.boosting.select.GammaSearch;
import io.holdfast.boosting.select.HeldOutLosses;
import java.util.List;

/**
 * One environment left out: what models of every gamma, trained on the others, lose on it.
 *
 * <p>How many rounds each gamma gets is chosen inside the training rows, by leaving out their
 * environments in turn: the same rule for all, and blind to the environment tested on. Risk is mean
 * excess loss.
 *
 * @param inner losses on the training rows' environments, left out in turn
 * @param risks of a gamma, by its place, and by round
 * @param constantRisk of the constant fitted to the other environments
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HeldOutEnvironment(String name, HeldOutLosses inner, double[][] risks, double constantRisk) {
  /** Trains it all; takes long. */
  static HeldOutEnvironment measure(
      BoosterSettings settings, GammaSearch search, LabelledRows all, int environment) {
    Split split = Split.leavingOut(all.rows(), environment);
    List<Feature> features = all.features();
    var untrained = Booster.untrained(settings, features);
    HeldOutLosses inner = search.measure(settings, untrained, features, split.train());
    var held = new EarlyStopping(split.test(), new Criterion.Mean(), Integer.MAX_VALUE);
    double[][] risks = new double[search.gammas().size()][settings.rounds() + 1];
    for (int k = 0; k < risks.length; k++) {
      double[] byRound = risks[k];
      var candidate = settings.toBuilder().gamma(search.gammas().get(k)).build();
      var listener =
          new FitListener() {
            @Override
            public void afterRound(int round, AnchorLoss anchorLoss) {
              // Only what is held out counts.
            }

            @Override
            public void afterValidation(int round, double loss, double[] losses) {
              byRound[round] = loss;
            }
          };
      new Booster(candidate).fit(features, split.train(), held, listener);
    }
    return new HeldOutEnvironment(
        all.rows().environments().get(environment),
        inner,
        risks,
        MeanLoss.ofConstant(settings.objective(), split.train(), split.test()));
  }

  /** The rounds that a gamma, by its place, got. */
  int rounds(int gamma) {
    GammaChoice choice = inner.choose(new Criterion.Mean(), true);
    return choice.trials().isEmpty() ? inner.rounds() : choice.trials().get(gamma).rounds();
  }

  double risk(int gamma) {
    return risks[gamma][rounds(gamma)];
  }

  double riskAfterAllRounds(int gamma) {
    return risks[gamma][inner.rounds()];
  }

  /** The gamma that a criterion of the other environments chooses, and its risk. */
  Auto auto(Criterion criterion) {
    GammaChoice choice = inner.choose(criterion, true);
    int place = inner.gammas().indexOf(choice.gamma());
    return new Auto(choice.gamma(), choice.rounds(), risks[place][choice.rounds()]);
  }

  record Auto(double gamma, int rounds, double risk) {}
}
