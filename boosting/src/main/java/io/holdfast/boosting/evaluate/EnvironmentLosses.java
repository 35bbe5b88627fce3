package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;

/** What raw scores lose, environment by environment. Stateless. */
public final class EnvironmentLosses {
  private EnvironmentLosses() {}

  /**
   * The weighted mean excess loss of each environment, in the order of {@link Rows#environments()}.
   * (By plain loss the worst environment would be that of the unluckiest labels.)
   *
   * @param scores output by output
   */
  public static double[] excess(Objective objective, Rows rows, double[] scores) {
    int size = rows.size();
    double[] losses = new double[rows.environments().size()];
    double[] weights = new double[losses.length];
    double[] one = new double[objective.outputs()];
    for (int row = 0; row < size; row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * size + row];
      }
      int environment = rows.environment(row);
      losses[environment] += rows.weight(row) * objective.excessLoss(rows.label(row), one);
      weights[environment] += rows.weight(row);
    }
    for (int environment = 0; environment < losses.length; environment++) {
      losses[environment] /= weights[environment];
    }
    return losses;
  }
}
