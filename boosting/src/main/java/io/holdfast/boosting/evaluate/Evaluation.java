package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Mean weighted loss and metrics of given raw scores, in all and by environment.
 *
 * @param environment the environment, or the empty string for all rows together
 * @param rows how many rows
 * @param loss mean loss per unit weight
 * @param metrics in order of their names. Regression: {@code rmse}, {@code mae}, with {@code
 *     pinball} for quantiles and the mean {@code deviance} for gamma, Poisson and Tweedie. Two
 *     classes and softmax: {@code accuracy}, {@code logLoss} and, where there are two classes,
 *     {@code auc} (of softmax the mean over classes of one against the rest). Ordinal: {@code
 *     accuracy}, {@code mae} (how many classes off), {@code logLoss}. Of classes with names, up to
 *     20, {@code recall_NAME}, the share of the class's rows that are predicted as it
 */
public record Evaluation(String environment, int rows, double loss, Map<String, Double> metrics) {
  private static final int MOST_NAMED = 20;

  public Evaluation {
    metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
  }

  /**
   * Over all rows, of which there is at least one.
   *
   * @param scores raw scores, output by output: of output k and row i of n at {@code k * n + i}
   */
  public static Evaluation of(Objective objective, Rows rows, double[] scores) {
    return of(Collections.nCopies(rows.size(), objective), rows, scores, List.of());
  }

  /**
   * As above, each row with an objective of its own: those of one configuration, whose learned
   * parameters differ from version to version of a model.
   *
   * @param classes their names in order; none if they have none
   */
  public static Evaluation of(
      List<? extends Objective> objectives, Rows rows, double[] scores, List<String> classes) {
    check(objectives, rows, scores);
    int[] all = IntStream.range(0, rows.size()).toArray();
    return of("", new Metrics(objectives, rows, scores, all), all.length, classes);
  }

  /** One for each of {@code rows.environments()}, in that order. */
  public static List<Evaluation> byEnvironment(Objective objective, Rows rows, double[] scores) {
    return byEnvironment(Collections.nCopies(rows.size(), objective), rows, scores, List.of());
  }

  /** As above, each row with an objective of its own. */
  public static List<Evaluation> byEnvironment(
      List<? extends Objective> objectives, Rows rows, double[] scores, List<String> classes) {
    check(objectives, rows, scores);
    List<IntStream.Builder> members =
        rows.environments().stream().map(name -> IntStream.builder()).toList();
    for (int row = 0; row < rows.size(); row++) {
      members.get(rows.environment(row)).add(row);
    }
    List<Evaluation> evaluations = new ArrayList<>();
    for (int environment = 0; environment < members.size(); environment++) {
      String name = rows.environments().get(environment);
      int[] own = members.get(environment).build().toArray();
      Metrics metrics = new Metrics(objectives, rows, scores, own);
      evaluations.add(of(name, metrics, own.length, classes));
    }
    return List.copyOf(evaluations);
  }

  private static void check(List<? extends Objective> objectives, Rows rows, double[] scores) {
    Check.that(
        objectives.size() == rows.size(),
        "there must be an objective for each of the %s rows: %s",
        rows.size(),
        objectives.size());
    Check.that(rows.size() >= 1, "there must be at least 1 row to evaluate: %s", rows.size());
    Objective first = objectives.getFirst().unfitted();
    for (Objective other : Set.copyOf(objectives)) {
      Check.that(
          other.unfitted().equals(first),
          "the objectives of all rows must be %s, as configured: %s",
          first,
          other.unfitted());
    }
    Check.that(
        scores.length == rows.size() * first.outputs(),
        "there must be a raw score for each of the %s rows and %s outputs: %s",
        rows.size(),
        first.outputs(),
        scores.length);
  }

  private static Evaluation of(String environment, Metrics of, int rows, List<String> classes) {
    Map<String, Double> metrics = of.byName();
    if (classes.size() <= MOST_NAMED) {
      metrics.putAll(of.recalls(classes));
    }
    return new Evaluation(environment, rows, of.loss(), metrics);
  }
}
