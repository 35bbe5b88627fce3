package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Excess losses of raw scores, which stand output by output. Stateless. */
public final class EnvironmentLosses {
  private EnvironmentLosses() {}

  /** Σ weight · excess loss over all rows. */
  public static double total(Objective objective, Rows rows, double[] scores) {
    double[] loss = new double[1];
    add(objective, rows, scores, row -> 0, loss);
    return loss[0];
  }

  /**
   * The weighted mean excess loss of each environment, in the order of {@link Rows#environments()}.
   * (By plain loss the worst environment would be that of the unluckiest labels.)
   */
  public static double[] excess(Objective objective, Rows rows, double[] scores) {
    double[] losses = new double[rows.environments().size()];
    add(objective, rows, scores, rows::environment, losses);
    double[] weights = new double[losses.length];
    for (int row = 0; row < rows.size(); row++) {
      weights[rows.environment(row)] += rows.weight(row);
    }
    Arrays.setAll(losses, environment -> losses[environment] / weights[environment]);
    return losses;
  }

  private static void add(
      Objective objective, Rows rows, double[] scores, IntUnaryOperator placeOf, double[] target) {
    double[] one = new double[objective.outputs()];
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows.size() + row];
      }
      target[placeOf.applyAsInt(row)] +=
          rows.weight(row) * objective.excessLoss(rows.label(row), one);
    }
  }
}
