package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The baseline that served models are compared with: it knows labels and no features. Immutable.
 *
 * @param objective with what it learned from the labels alone, such as thresholds
 * @param scores the raw scores, one an output; not copied and never changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ConstantModel(Objective objective, double[] scores) {
  /*
   * A manifest's metrics hold it, so that a restart compares with the same one: constantScore, or
   * constantScore.0 and so on for several outputs, and constant.theta1 and the like for what the
   * objective learned.
   */
  private static final String SCORE = "constantScore";
  private static final String LEARNED = "constant.";

  /** Of least loss on the rows. */
  public static ConstantModel fitted(Objective configured, Rows rows) {
    Objective fitted = configured.unfitted().fittedTo(rows);
    return new ConstantModel(fitted, fitted.initialScores(rows));
  }

  /** From a manifest's metrics; raw scores 0 if they hold none. */
  public static ConstantModel read(Objective configured, Map<String, Double> metrics) {
    TreeMap<String, Double> parameters = new TreeMap<>(configured.unfitted().parameters());
    metrics.forEach(
        (name, value) -> {
          if (name.startsWith(LEARNED)) {
            parameters.put(name.substring(LEARNED.length()), value);
          }
        });
    double[] scores = new double[configured.outputs()];
    Arrays.setAll(scores, k -> metrics.getOrDefault(key(k, scores.length), 0.0));
    return new ConstantModel(Objective.of(configured.name(), parameters), scores);
  }

  /** As {@link #read} reads it. */
  public Map<String, Double> metrics() {
    TreeMap<String, Double> metrics = new TreeMap<>();
    for (int k = 0; k < scores.length; k++) {
      metrics.put(key(k, scores.length), scores[k]);
    }
    Map<String, Double> configured = objective.unfitted().parameters();
    objective
        .parameters()
        .forEach(
            (name, value) -> {
              if (!value.equals(configured.get(name))) {
                metrics.put(LEARNED + name, value);
              }
            });
    return metrics;
  }

  /** The raw scores of {@code rows} rows, output by output. */
  double[] scores(int rows) {
    double[] all = new double[Math.multiplyExact(scores.length, rows)];
    for (int k = 0; k < scores.length; k++) {
      Arrays.fill(all, k * rows, (k + 1) * rows, scores[k]);
    }
    return all;
  }

  private static String key(int output, int outputs) {
    return outputs == 1 ? SCORE : SCORE + "." + output;
  }
}
