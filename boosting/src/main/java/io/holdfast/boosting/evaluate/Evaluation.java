package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Mean weighted loss and metrics of given raw scores, in all and by environment.
 *
 * @param environment the environment, or the empty string for all rows together
 * @param rows how many rows
 * @param loss mean loss per unit weight
 * @param metrics in order of their names. Regression: {@code rmse}, {@code mae}, with {@code
 *     pinball} for quantiles and {@code deviance} (mean, of the prediction from the label) for
 *     gamma, Poisson and Tweedie. Two classes: {@code accuracy}, {@code auc}, {@code logLoss}.
 *     Softmax: the same, {@code auc} being the mean over classes of that of one against the rest.
 *     Ordinal: {@code accuracy}, {@code mae} (how many classes off), {@code logLoss}. {@code auc}
 *     is left out where there is one class only
 */
public record Evaluation(String environment, int rows, double loss, Map<String, Double> metrics) {
  public Evaluation {
    metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
  }

  /**
   * Over all rows, of which there is at least one.
   *
   * @param scores raw scores, output by output: of output k and row i of n at {@code k * n + i}
   * @throws IllegalArgumentException if there are no rows, or not as many scores
   */
  public static Evaluation of(Objective objective, Rows rows, double[] scores) {
    checkSizes(objective, rows, scores);
    int[] all = new int[rows.size()];
    Arrays.setAll(all, row -> row);
    return of("", row -> objective, rows, scores, all);
  }

  /**
   * Over all rows, each with an objective of its own: those of one configuration, whose learned
   * parameters differ from version to version of a model.
   *
   * @throws IllegalArgumentException if there are no rows, or not as many scores or objectives
   */
  public static Evaluation of(List<? extends Objective> objectives, Rows rows, double[] scores) {
    checkSizes(objectives, rows, scores);
    int[] all = new int[rows.size()];
    Arrays.setAll(all, row -> row);
    return of("", objectives::get, rows, scores, all);
  }

  /**
   * One for each of {@code rows.environments()}, in that order.
   *
   * @throws IllegalArgumentException if there are no rows, or not as many scores
   */
  public static List<Evaluation> byEnvironment(Objective objective, Rows rows, double[] scores) {
    checkSizes(objective, rows, scores);
    return byEnvironment(row -> objective, rows, scores);
  }

  /** As above, each row with an objective of its own. */
  public static List<Evaluation> byEnvironment(
      List<? extends Objective> objectives, Rows rows, double[] scores) {
    checkSizes(objectives, rows, scores);
    return byEnvironment(objectives::get, rows, scores);
  }

  private static List<Evaluation> byEnvironment(
      IntFunction<Objective> objectiveOf, Rows rows, double[] scores) {
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
      evaluations.add(of(name, objectiveOf, rows, scores, members[environment]));
    }
    return List.copyOf(evaluations);
  }

  private static void checkSizes(List<? extends Objective> objectives, Rows rows, double[] scores) {
    Check.that(
        objectives.size() == rows.size(),
        "there must be an objective for each of the %s rows: %s",
        rows.size(),
        objectives.size());
    if (!objectives.isEmpty()) {
      Objective first = objectives.getFirst().unfitted();
      Set<Objective> different = Collections.newSetFromMap(new IdentityHashMap<>());
      different.addAll(objectives); // few, however many rows
      for (Objective other : different) {
        Check.that(
            other.unfitted().equals(first),
            "the objectives of all rows must be %s, as configured: %s",
            first,
            other.unfitted());
      }
    }
    checkSizes(objectives.isEmpty() ? new Squared() : objectives.getFirst(), rows, scores);
  }

  private static void checkSizes(Objective objective, Rows rows, double[] scores) {
    Check.that(rows.size() >= 1, "there must be at least 1 row to evaluate: %s", rows.size());
    Check.that(
        scores.length == rows.size() * objective.outputs(),
        "there must be a raw score for each of the %s rows and %s outputs: %s",
        rows.size(),
        objective.outputs(),
        scores.length);
  }

  private static Evaluation of(
      String environment,
      IntFunction<Objective> objectiveOf,
      Rows rows,
      double[] scores,
      int[] members) {
    Metrics metrics = new Metrics(objectiveOf, rows, scores, members);
    return new Evaluation(environment, members.length, metrics.loss(), metrics.byName());
  }
}
