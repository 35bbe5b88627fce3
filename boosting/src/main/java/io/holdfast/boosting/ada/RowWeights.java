package io.holdfast.boosting.ada;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.SplittableRandom;

/** AdaBoost's weights of the rows, which sum to 1. Owned by one thread. */
final class RowWeights {
  /*
   * Multiplying the wrong rows' weights by e^α and normalising leaves the wrong rows 1 − 1/K of all
   * weight and the right rows 1/K: that is how it is computed, which overflows for no α.
   *
   * From a model's votes the weights follow as well. With two classes a row that was right m times
   * and wrong m' times has e^(Σ' α) relative to its own weight, which is e^(−ỹ f) up to a factor
   * that all rows share, f being the sum of ±α/2. With K classes and s_k the votes for class k it is
   * e^(−s_y), up to such a factor; the mean of the s_k is taken off s_y, so that this holds for raw
   * scores of other origin too, which mean the same when all K move alike.
   */
  private final int classes;
  private final double[] weights;

  private RowWeights(int classes, double[] weights) {
    this.classes = classes;
    this.weights = weights;
  }

  /** The weights after the votes that raw scores, output by output, consist of. */
  static RowWeights after(Objective objective, Rows rows, double[] scores) {
    int size = rows.size();
    double[] weights = new double[size];
    double largest = Double.NEGATIVE_INFINITY;
    for (int row = 0; row < size; row++) {
      weights[row] = StrictMath.log(rows.weight(row)) - margin(objective, rows, scores, row);
      largest = Math.max(largest, weights[row]);
    }
    for (int row = 0; row < size; row++) {
      weights[row] = StrictMath.exp(weights[row] - largest);
    }
    normalise(weights);
    return new RowWeights(objective.classes(), weights);
  }

  private static double margin(Objective objective, Rows rows, double[] scores, int row) {
    int label = (int) rows.label(row);
    if (objective.outputs() == 1) {
      return label == 1 ? scores[row] : -scores[row];
    }
    double sum = 0;
    for (int k = 0; k < objective.outputs(); k++) {
      sum += scores[k * rows.size() + row];
    }
    return scores[label * rows.size() + row] - sum / objective.outputs();
  }

  double weight(int row) {
    return weights[row];
  }

  /** The weight of the wrong rows, as a part of all. */
  double error(boolean[] wrong) {
    double wrongWeight = 0;
    double rightWeight = 0;
    for (int row = 0; row < weights.length; row++) {
      if (wrong[row]) {
        wrongWeight += weights[row];
      } else {
        rightWeight += weights[row];
      }
    }
    return wrongWeight / (wrongWeight + rightWeight);
  }

  /** Multiplies the weights of the wrong rows by e^α and normalises; α is of this error. */
  void raise(boolean[] wrong) {
    double error = error(wrong);
    double wrongFactor = 1 - 1.0 / classes;
    double rightFactor = 1.0 / classes;
    for (int row = 0; row < weights.length; row++) {
      weights[row] =
          wrong[row]
              ? weights[row] / error * wrongFactor
              : weights[row] / (1 - error) * rightFactor;
    }
    normalise(weights);
  }

  private static void normalise(double[] weights) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    for (int row = 0; row < weights.length; row++) {
      weights[row] /= sum;
    }
  }

  /** How often each row is drawn, in as many draws as there are rows. */
  int[] draw(SplittableRandom random) {
    double[] cumulative = new double[weights.length];
    double sum = 0;
    for (int row = 0; row < weights.length; row++) {
      sum += weights[row];
      cumulative[row] = sum;
    }
    int[] times = new int[weights.length];
    for (int k = 0; k < weights.length; k++) {
      // From above 0 up to all: a row of weight 0 is never drawn.
      times[reached(cumulative, (1 - random.nextDouble()) * sum)]++;
    }
    return times;
  }

  /** The first entry that is at least {@code value}. */
  static int reached(double[] cumulative, double value) {
    int low = 0;
    int high = cumulative.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulative[middle] >= value) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
