package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.List;
import java.util.Map;

/**
 * Mean weighted loss and metrics of given raw scores, in all and by environment.
 *
 * @param environment the environment, or the empty string for all rows together
 * @param rows how many rows
 * @param loss mean loss per unit weight
 * @param metrics {@code rmse}, {@code mae} for regression; {@code accuracy}, {@code auc} (left out
 *     if there is one class only), {@code logLoss} for binary objectives
 */
@SuppressWarnings("DoNotCallSuggester")
public record Evaluation(String environment, int rows, double loss, Map<String, Double> metrics) {
  public Evaluation {
    metrics = Map.copyOf(metrics);
  }

  /** Over all rows. {@code scores[i]} is row i's raw score. */
  public static Evaluation of(Objective objective, Rows rows, double[] scores) {
    throw new UnsupportedOperationException("SKELETON" + objective + rows + scores.length);
  }

  /** One for each of {@code rows.environments()}, in that order. */
  public static List<Evaluation> byEnvironment(Objective objective, Rows rows, double[] scores) {
    throw new UnsupportedOperationException("SKELETON" + objective + rows + scores.length);
  }
}
