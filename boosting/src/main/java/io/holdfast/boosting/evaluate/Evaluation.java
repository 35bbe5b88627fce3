package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Mean weighted loss and metrics of given raw scores, in all and by environment.
 *
 * @param environment the environment, or the empty string for all rows together
 * @param rows how many rows
 * @param loss mean loss per unit weight
 * @param metrics {@code rmse}, {@code mae} for regression; {@code accuracy}, {@code auc} (left out
 *     if there is one class only), {@code logLoss} for binary objectives; in order of their names
 */
public record Evaluation(String environment, int rows, double loss, Map<String, Double> metrics) {
  public Evaluation {
    metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
  }

  /**
   * Over all rows, of which there is at least one. {@code scores[i]} is row i's raw score.
   *
   * @throws IllegalArgumentException if there are no rows, or not as many scores
   */
  public static Evaluation of(Objective objective, Rows rows, double[] scores) {
    checkSizes(rows, scores);
    int[] all = new int[rows.size()];
    Arrays.setAll(all, row -> row);
    return of("", objective, rows, scores, all);
  }

  /**
   * One for each of {@code rows.environments()}, in that order.
   *
   * @throws IllegalArgumentException if there are no rows, or not as many scores
   */
  public static List<Evaluation> byEnvironment(Objective objective, Rows rows, double[] scores) {
    checkSizes(rows, scores);
    int[][] members = new int[rows.environments().size()][];
    int[] sizes = new int[members.length];
    for (int row = 0; row < rows.size(); row++) {
      sizes[rows.environment(row)]++;
    }
    for (int environment = 0; environment < members.length; environment++) {
      members[environment] = new int[sizes[environment]];
    }
    Arrays.fill(sizes, 0);
    for (int row = 0; row < rows.size(); row++) {
      int environment = rows.environment(row);
      members[environment][sizes[environment]++] = row;
    }
    List<Evaluation> evaluations = new ArrayList<>();
    for (int environment = 0; environment < members.length; environment++) {
      String name = rows.environments().get(environment);
      evaluations.add(of(name, objective, rows, scores, members[environment]));
    }
    return List.copyOf(evaluations);
  }

  private static void checkSizes(Rows rows, double[] scores) {
    Check.that(rows.size() >= 1, "there must be at least 1 row to evaluate: %s", rows.size());
    Check.that(
        scores.length == rows.size(),
        "there must be a score for each of the %s rows: %s",
        rows.size(),
        scores.length);
  }

  private static Evaluation of(
      String environment, Objective objective, Rows rows, double[] scores, int[] members) {
    double loss = 0;
    double weight = 0;
    for (int row : members) {
      loss += rows.weight(row) * objective.loss(rows.label(row), scores[row]);
      weight += rows.weight(row);
    }
    loss /= weight;
    SortedMap<String, Double> metrics =
        switch (objective) {
          case Squared _ -> regression(objective, rows, scores, members);
          case Logistic _, Probit _ -> {
            SortedMap<String, Double> binary = binary(objective, rows, scores, members);
            binary.put("logLoss", loss); // the loss of both is the log loss of their link
            yield binary;
          }
        };
    return new Evaluation(environment, members.length, loss, metrics);
  }

  private static SortedMap<String, Double> regression(
      Objective objective, Rows rows, double[] scores, int[] members) {
    double squares = 0;
    double absolutes = 0;
    double weight = 0;
    for (int row : members) {
      double error = objective.prediction(scores[row]) - rows.label(row);
      squares += rows.weight(row) * error * error;
      absolutes += rows.weight(row) * Math.abs(error);
      weight += rows.weight(row);
    }
    SortedMap<String, Double> metrics = new TreeMap<>();
    metrics.put("rmse", StrictMath.sqrt(squares / weight));
    metrics.put("mae", absolutes / weight);
    return metrics;
  }

  /** A row is predicted to be 1 if that is the likelier class, so not at one half. */
  private static SortedMap<String, Double> binary(
      Objective objective, Rows rows, double[] scores, int[] members) {
    double right = 0;
    double weight = 0;
    for (int row : members) {
      boolean predicted = objective.prediction(scores[row]) > 0.5;
      if (predicted == rows.label(row) > 0) {
        right += rows.weight(row);
      }
      weight += rows.weight(row);
    }
    SortedMap<String, Double> metrics = new TreeMap<>();
    metrics.put("accuracy", right / weight);
    double auc = RocArea.of(rows, scores, members);
    if (!Double.isNaN(auc)) {
      metrics.put("auc", auc);
    }
    return metrics;
  }
}
