package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.Cholesky;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Corrects the probabilities of classes: new ones are in proportion to {@code e^intercept_k ·
 * p_k^slope_k}. With two classes this is beta calibration. Immutable.
 *
 * @param slopes by class, 0 or more; all 1, and intercepts 0, change nothing
 * @param intercepts by class
 */
public record ClassCalibration(List<Double> slopes, List<Double> intercepts) {
  private static final int MOST_CLASSES = 50;
  private static final int STEPS = 30;
  private static final double RIDGE = 1; // rows that say that nothing is wrong
  private static final double LEAST = 1e-15;

  public ClassCalibration {
    slopes = List.copyOf(slopes);
    intercepts = List.copyOf(intercepts);
    Check.that(
        slopes.size() == intercepts.size(),
        "there must be as many slopes as intercepts, %s: %s",
        intercepts.size(),
        slopes.size());
  }

  /** What changes nothing. */
  public static ClassCalibration none(int classes) {
    return new ClassCalibration(
        Collections.nCopies(classes, 1.0), Collections.nCopies(classes, 0.0));
  }

  /**
   * Of least log loss, and a little ridge, on rows that the model was not trained on. Of more than
   * 50 classes nothing is changed.
   *
   * @param weights of the rows, 0 or more
   */
  public static ClassCalibration fit(List<double[]> probabilities, int[] labels, double[] weights) {
    int classes = probabilities.isEmpty() ? 0 : probabilities.getFirst().length;
    if (classes > MOST_CLASSES) {
      return none(classes);
    }
    double[] at = new double[2 * classes];
    Arrays.fill(at, 0, classes, 1);
    double loss = loss(at, probabilities, labels, weights);
    for (int step = 0; step < STEPS; step++) {
      double[] move = newton(at, probabilities, labels, weights);
      double before = loss;
      for (double size = 1; size > 1e-3 && loss >= before; size /= 2) {
        double[] next = at.clone();
        for (int k = 0; k < at.length; k++) {
          next[k] -= size * move[k];
          next[k] = k < classes ? Math.max(0, next[k]) : next[k];
        }
        double now = loss(next, probabilities, labels, weights);
        if (now < before) {
          at = next;
          loss = now;
        }
      }
      if (before - loss <= 1e-9 * before) {
        break;
      }
    }
    return of(at);
  }

  private static ClassCalibration of(double[] at) {
    List<Double> all = Arrays.stream(at).boxed().toList();
    return new ClassCalibration(
        all.subList(0, at.length / 2), all.subList(at.length / 2, at.length));
  }

  private static double loss(
      double[] at, List<double[]> probabilities, int[] labels, double[] weights) {
    ClassCalibration calibration = of(at);
    double loss = 0;
    for (int row = 0; row < labels.length; row++) {
      double[] corrected = calibration.corrected(probabilities.get(row));
      loss -= weights[row] * log(corrected[labels[row]]);
    }
    for (int k = 0; k < at.length; k++) {
      double off = at[k] - (k < at.length / 2 ? 1 : 0);
      loss += RIDGE / 2 * off * off;
    }
    return loss;
  }

  private static double[] newton(
      double[] at, List<double[]> probabilities, int[] labels, double[] weights) {
    int n = at.length;
    int classes = n / 2;
    ClassCalibration calibration = of(at);
    double[] gradient = new double[n];
    double[] hessian = new double[n * n];
    double[] inputs = new double[n];
    for (int k = 0; k < n; k++) {
      gradient[k] = RIDGE * (at[k] - (k < classes ? 1 : 0));
      hessian[k * n + k] = RIDGE;
    }
    for (int row = 0; row < labels.length; row++) {
      double[] now = calibration.corrected(probabilities.get(row));
      for (int k = 0; k < n; k++) {
        inputs[k] = k < classes ? log(probabilities.get(row)[k]) : 1;
      }
      for (int k = 0; k < n; k++) {
        double share = now[k % classes];
        double weighted = weights[row] * inputs[k];
        gradient[k] += weighted * (share - (labels[row] == k % classes ? 1 : 0));
        for (int j = 0; j <= k; j++) {
          double both = (k % classes == j % classes ? share : 0) - share * now[j % classes];
          hessian[k * n + j] += weighted * inputs[j] * both;
        }
      }
    }
    Cholesky.factorAndSolve(hessian, n, gradient);
    return gradient;
  }

  private static double log(double probability) {
    return StrictMath.log(Math.max(LEAST, probability));
  }

  /** The corrected probabilities, which sum to 1. */
  public double[] corrected(double[] probabilities) {
    double[] corrected = probabilities.clone();
    correct(corrected);
    return corrected;
  }

  /** The same, in place. */
  void correct(double[] probabilities) {
    double most = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < probabilities.length; k++) {
      probabilities[k] = slopes.get(k) * log(probabilities[k]) + intercepts.get(k);
      most = Math.max(most, probabilities[k]);
    }
    double sum = 0;
    for (int k = 0; k < probabilities.length; k++) {
      probabilities[k] = StrictMath.exp(probabilities[k] - most);
      sum += probabilities[k];
    }
    for (int k = 0; k < probabilities.length; k++) {
      probabilities[k] /= sum;
    }
  }
}
