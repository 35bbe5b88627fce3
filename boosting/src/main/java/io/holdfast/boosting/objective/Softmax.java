package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import java.util.Map;

/**
 * −log p_y for classes 0 .. K−1 with a raw score each, where p_k = e^f_k / Σ_j e^f_j; the
 * prediction is the likeliest class. Immutable and stateless.
 *
 * <p>With q_k = 1 − p_k as {@link #loss(double, double[], int, int, double[], double[])} gives it:
 * dL/df_k = p_k − 1{y = k}, of which that of the label is −q_y; d²L/df_k² = p_k q_k; d²L/df_j df_k
 * = −p_j p_k; d³L/df_k³ = p_k q_k (q_k − p_k).
 *
 * @param classes K, from 2 to {@value #MOST_CLASSES}
 */
public record Softmax(int classes) implements Objective {
  static final int MOST_CLASSES = 1000;

  public Softmax {
    checkClasses(classes);
  }

  static int checkClasses(int classes) {
    Check.that(
        classes >= 2 && classes <= MOST_CLASSES,
        "classes must be from 2 to %s: %s",
        MOST_CLASSES,
        classes);
    return classes;
  }

  static boolean isClass(double label, int classes) {
    return label >= 0 && label < classes && label == StrictMath.rint(label);
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("classes", (double) classes);
  }

  @Override
  public int outputs() {
    return classes;
  }

  @Override
  public double loss(double label, double... scores) {
    return loss(label, scores, 0, 1);
  }

  /** L(y, f) of row {@code row} of {@code n}, whose scores stand output by output. */
  public double loss(double label, double[] scores, int row, int n) {
    int likeliest = likeliest(scores, row, n);
    double highest = scores[likeliest * n + row];
    double others = 0;
    for (int k = 0; k < classes; k++) {
      if (k != likeliest) {
        others += StrictMath.exp(scores[k * n + row] - highest);
      }
    }
    return highest - scores[n * (int) label + row] + StrictMath.log1p(others);
  }

  /** The same; and writes p_k and its complement q_k, neither of which cancels. */
  public double loss(
      double label, double[] scores, int row, int n, double[] probabilities, double[] complements) {
    int likeliest = likeliest(scores, row, n);
    double highest = scores[likeliest * n + row];
    double others = 0;
    for (int k = 0; k < classes; k++) {
      if (k != likeliest) {
        probabilities[k] = StrictMath.exp(scores[k * n + row] - highest);
        others += probabilities[k];
      }
    }
    double sum = 1 + others;
    for (int k = 0; k < classes; k++) {
      if (k != likeliest) {
        complements[k] = (sum - probabilities[k]) / sum; // at least a half: nothing cancels
        probabilities[k] /= sum;
      }
    }
    probabilities[likeliest] = 1 / sum;
    complements[likeliest] = others / sum;
    return highest - scores[n * (int) label + row] + StrictMath.log1p(others);
  }

  /** The likeliest class; of equally likely ones the lowest. */
  @Override
  public double prediction(double... scores) {
    return likeliest(scores, 0, 1);
  }

  @Override
  public void probabilities(double[] scores, double[] target) {
    int likeliest = likeliest(scores, 0, 1);
    double sum = 0;
    for (int k = 0; k < classes; k++) {
      target[k] = StrictMath.exp(scores[k] - scores[likeliest]);
      sum += target[k];
    }
    for (int k = 0; k < classes; k++) {
      target[k] /= sum;
    }
  }

  /** The logs of the class frequencies. */
  @Override
  public double[] initialScores(Rows rows) {
    double[] weights = LabelSummary.classWeights(rows, classes);
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    for (int k = 0; k < classes; k++) {
      weights[k] = StrictMath.log(weights[k] / sum);
    }
    return weights;
  }

  @Override
  public boolean unbounded(Rows rows) {
    return LabelSummary.classesIn(rows, classes) < classes;
  }

  @Override
  public boolean accepts(double label) {
    return isClass(label, classes);
  }

  @Override
  public String labelRule() {
    return "whole numbers from 0 to " + (classes - 1);
  }

  private int likeliest(double[] scores, int row, int n) {
    int likeliest = 0;
    for (int k = 1; k < classes; k++) {
      if (scores[k * n + row] > scores[likeliest * n + row]) {
        likeliest = k;
      }
    }
    return likeliest;
  }
}
