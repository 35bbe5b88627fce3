package io.holdfast.trainer.reason;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Sigmoid;
import io.holdfast.boosting.scoring.Scorer;
import java.util.Arrays;
import java.util.List;

/** How much more frequent rows are in one sample than in another. Stateless. */
public final class DensityRatio {
  /** One row of the other sample must not stand for all. */
  private static final double MOST = 20;

  private DensityRatio() {}

  /**
   * Of each row before: the density of rows like it now, over that before. By the odds that a model
   * of features and environment tells one sample from the other; 1 for all where rows held out do
   * not bear it out, or are too few.
   *
   * @param environments of the rows before, then of those now
   */
  public static double[] of(
      List<Feature> features, Rows before, Rows now, List<String> environments, long seed) {
    int older = before.size();
    TwoSamples samples =
        TwoSamples.of(
            features,
            before,
            equal(environments.subList(0, older)),
            now,
            equal(environments.subList(older, environments.size())),
            seed);
    Scorer chance = Residuals.newness(samples, seed);
    double[] ratios = new double[older];
    for (int row = 0; row < older; row++) {
      double newness = Sigmoid.of(chance.score(samples.values()[row]));
      ratios[row] = Math.clamp(newness / (1 - newness), 1 / MOST, MOST);
    }
    return ratios;
  }

  private static ServedLosses equal(List<String> environments) {
    double[] weights = new double[environments.size()];
    Arrays.fill(weights, 1);
    return new ServedLosses(new double[weights.length], weights, environments);
  }
}
