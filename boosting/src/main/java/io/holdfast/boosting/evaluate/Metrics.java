package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.IndexSort;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.LogLinkObjective;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.RealObjective;
import io.holdfast.boosting.objective.ScalarObjective;
import io.holdfast.boosting.objective.Softmax;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * The metrics of some of the rows, of which there is at least one. Not thread-safe.
 *
 * <p>Objectives may differ from row to row in what they learned, not in what they are.
 */
final class Metrics {
  private final List<? extends Objective> objectives;
  private final Objective objective;
  private final Rows rows;
  private final double[] scores;
  private final int[] members;
  private final double[] scoresOfRow;
  private final double loss;

  Metrics(List<? extends Objective> objectives, Rows rows, double[] scores, int[] members) {
    this.objectives = objectives;
    objective = objectives.get(members[0]);
    this.rows = rows;
    this.scores = scores;
    this.members = members;
    scoresOfRow = new double[objective.outputs()];
    loss = mean(row -> objectives.get(row).loss(rows.label(row), scoresOf(row)));
  }

  double loss() {
    return loss;
  }

  SortedMap<String, Double> byName() {
    SortedMap<String, Double> metrics = new TreeMap<>();
    switch (objective.uncalibrated()) {
      case Quantile _ -> {
        regression(metrics);
        metrics.put("pinball", loss);
      }
      case RealObjective _, Beta _ -> regression(metrics);
      case LogLinkObjective positive -> {
        regression(metrics);
        metrics.put("deviance", mean(row -> positive.deviance(rows.label(row), scores[row])));
      }
      case BinaryObjective binary -> {
        metrics.put( // a row is predicted to be 1 if that is the likelier class, so not at one half
            "accuracy", mean(row -> prediction(row) > 0.5 == rows.label(row) > 0 ? 1 : 0));
        metrics.put("logLoss", mean(row -> logLoss(binary, row)));
        metrics.put("auc", area(rows, 1, ranking(), members));
      }
      case Ordinal _ -> {
        metrics.put("accuracy", mean(row -> error(row) == 0 ? 1 : 0));
        metrics.put("mae", mean(row -> Math.abs(error(row))));
        metrics.put("logLoss", loss);
      }
      case Calibrated _ -> throw new IllegalStateException("probabilities are corrected once");
      case Softmax _ -> {
        metrics.put("accuracy", mean(row -> error(row) == 0 ? 1 : 0));
        metrics.put("logLoss", loss);
        metrics.put("auc", meanArea());
      }
    }
    metrics.remove("auc", Double.NaN); // of one class only
    return metrics;
  }

  /** Of each class the share of its rows that are predicted as it; of classes without rows none. */
  SortedMap<String, Double> recalls(List<String> classes) {
    if (classes.isEmpty()) {
      return new TreeMap<>();
    }
    double[] hits = new double[classes.size()];
    double[] weights = new double[classes.size()];
    for (int row : members) {
      int label = (int) rows.label(row);
      double error = Math.abs(error(row));
      boolean hit = objective.binary() ? error < 0.5 || (error == 0.5 && label == 0) : error == 0;
      hits[label] += hit ? rows.weight(row) : 0;
      weights[label] += rows.weight(row);
    }
    SortedMap<String, Double> recalls = new TreeMap<>();
    for (int k = 0; k < hits.length; k++) {
      if (weights[k] > 0) {
        recalls.put("recall_" + classes.get(k), hits[k] / weights[k]);
      }
    }
    return recalls;
  }

  private void regression(SortedMap<String, Double> metrics) {
    metrics.put("rmse", StrictMath.sqrt(mean(row -> square(error(row)))));
    metrics.put("mae", mean(row -> Math.abs(error(row))));
  }

  private double meanArea() {
    double[] ofRow = new double[objective.classes()];
    double[][] probabilities = new double[objective.classes()][rows.size()];
    for (int row : members) {
      objectives.get(row).probabilities(scoresOf(row), ofRow);
      for (int k = 0; k < ofRow.length; k++) {
        probabilities[k][row] = ofRow[k];
      }
    }
    double[] areas = new double[ofRow.length];
    Arrays.setAll(areas, k -> area(rows, k, probabilities[k], members));
    return meanOfNumbers(areas);
  }

  /** Those that are NaN, such as areas of classes not seen, left out; NaN if all are. */
  static double meanOfNumbers(double... figures) {
    double sum = 0;
    int count = 0;
    for (double figure : figures) {
      if (!Double.isNaN(figure)) {
        sum += figure;
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  private static double square(double x) {
    return x * x;
  }

  private double logLoss(BinaryObjective binary, int row) {
    return objectives.get(row) instanceof Calibrated calibrated
        ? calibrated.logLoss(rows.label(row), scores[row])
        : binary.logLoss(rows.label(row), scores[row]);
  }

  /** What rows of two classes are ranked by: what was read, where that is corrected. */
  private double[] ranking() {
    boolean corrected = false;
    for (int row : members) {
      corrected |= objectives.get(row) instanceof Calibrated;
    }
    if (!corrected) {
      return scores;
    }
    double[] read = new double[rows.size()];
    for (int row : members) {
      read[row] = prediction(row);
    }
    return read;
  }

  private double prediction(int row) {
    Objective ofRow = objectives.get(row);
    return ofRow instanceof ScalarObjective scalar
        ? scalar.prediction(scores[row])
        : ofRow.prediction(scoresOf(row));
  }

  /** The prediction less the label. */
  private double error(int row) {
    return prediction(row) - rows.label(row);
  }

  private double[] scoresOf(int row) {
    for (int k = 0; k < scoresOfRow.length; k++) {
      scoresOfRow[k] = scores[k * rows.size() + row];
    }
    return scoresOfRow;
  }

  private double mean(IntToDoubleFunction quantity) {
    double sum = 0;
    double weight = 0;
    for (int row : members) {
      sum += rows.weight(row) * quantity.applyAsDouble(row);
      weight += rows.weight(row);
    }
    return sum / weight;
  }

  /**
   * The area under the ROC curve: how likely a row of class {@code positive} outscores another,
   * equal scores counting one half; NaN if there is one class only.
   *
   * @param scores by row
   */
  static double area(Rows rows, int positive, double[] scores, int[] members) {
    int[] order = members.clone();
    IndexSort.ascending(order, order.length, scores, new int[order.length]);
    double pairs = 0;
    double zerosBelow = 0;
    double ones = 0;
    int k = 0;
    while (k < order.length) {
      double score = scores[order[k]];
      double tiedZeros = 0;
      double tiedOnes = 0;
      for (; k < order.length && scores[order[k]] == score; k++) {
        if (rows.label(order[k]) == positive) {
          tiedOnes += rows.weight(order[k]);
        } else {
          tiedZeros += rows.weight(order[k]);
        }
      }
      pairs += tiedOnes * (zerosBelow + 0.5 * tiedZeros);
      zerosBelow += tiedZeros;
      ones += tiedOnes;
    }
    return ones > 0 && zerosBelow > 0 ? pairs / (ones * zerosBelow) : Double.NaN;
  }
}
