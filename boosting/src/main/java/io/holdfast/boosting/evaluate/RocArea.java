package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.IndexSort;

/**
 * The area under the ROC curve: how likely a row of class 1 outscores one of class 0. Stateless.
 */
final class RocArea {
  private RocArea() {}

  /**
   * Weighted, equal scores counting one half; NaN if there is one class only.
   *
   * @param positive which label is class 1, all others being class 0
   * @param scores by row
   */
  static double of(Rows rows, int positive, double[] scores, int[] members) {
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
