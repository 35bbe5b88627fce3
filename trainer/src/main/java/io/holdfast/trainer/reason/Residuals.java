package io.holdfast.trainer.reason;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.HoldOut;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Sigmoid;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.Arrays;

/**
 * What features do not tell of a row: whether it is of the window, and its loss. Immutable.
 *
 * @param newness 1 for the window's rows, else 0, less the chance of it by the features
 * @param losses the loss less that to expect by the features, in both samples together
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record Residuals(double[] newness, double[] losses) {
  /*
   * Both expectations are of models that were trained on the other folds (Chernozhukov et al.,
   * Econometrics Journal 21, 2018), so that what they learn by heart does not count.
   */
  private static final int ROUNDS = 50;
  private static final double RATE = 0.2;
  private static final int LEAVES = 8;
  private static final int PATIENCE = 5;
  private static final double HELD_OUT = 0.2;
  private static final double LEAST = 0.01; // a chance of being new
  private static final int ALL_FOLDS = -1;

  static Residuals of(TwoSamples samples, long seed) {
    double[] is = new double[samples.size()];
    Arrays.fill(is, samples.before(), is.length, 1);
    double[] newness = is.clone();
    double[] losses = samples.losses().clone();
    for (int fold = 0; fold < TwoSamples.FOLDS; fold++) {
      Scorer chance = fit(samples, fold, is, "logistic", seed);
      Scorer loss = fit(samples, fold, samples.losses(), "squared", seed);
      for (int row = 0; row < is.length; row++) {
        if (samples.folds()[row] == fold) {
          double probability = Sigmoid.of(chance.score(samples.values()[row]));
          newness[row] -= Math.clamp(probability, LEAST, 1 - LEAST);
          losses[row] -= loss.score(samples.values()[row]);
        }
      }
    }
    return new Residuals(newness, losses);
  }

  /** Tells the window's rows from those before, by all rows. */
  static Scorer newness(TwoSamples samples, long seed) {
    double[] is = new double[samples.size()];
    Arrays.fill(is, samples.before(), is.length, 1);
    return fit(samples, ALL_FOLDS, is, "logistic", seed);
  }

  private static Scorer fit(
      TwoSamples samples, int without, double[] targets, String objective, long seed) {
    Rows.Builder rows = Rows.builder(samples.features().size()).expecting(samples.size());
    for (int row = 0; row < samples.size(); row++) {
      if (samples.folds()[row] != without) {
        rows.add(samples.values()[row], targets[row], samples.weights()[row], "");
      }
    }
    BoosterSettings settings =
        BoosterSettings.builder(Objective.named(objective))
            .rounds(ROUNDS)
            .learningRate(RATE)
            .trees(TreeLimits.DEFAULT.withMaxLeaves(LEAVES))
            .holdOut(new HoldOut(HELD_OUT, PATIENCE))
            .seed(seed + without)
            .build();
    Model model = new Booster(settings).fit(samples.features(), rows.build()).model();
    return new TreeWalkScorer(model);
  }
}
