package io.holdfast.boosting.anchor;

import io.holdfast.boosting.numeric.StrictExponential;

/**
 * Losses and probabilities of softmax for some rows at once, to the same bits as {@link
 * io.holdfast.boosting.objective.Softmax} has them for each. Scratch: not thread-safe.
 */
final class SoftmaxBlock {
  /*
   * Small loops over one class with one index, which the compiler vectorises. The likeliest class adds
   * 0 to the sum of the others, which changes no bit.
   */
  private static final int MOST_ROWS = 64;
  private static final int FEWEST_ROWS = 8;
  private static final int ENTRIES = 8_192; // of an array of all classes, to stay in cache

  final int rows;
  private final double[][] below; // by class: the score less the highest; then the complement
  private final double[][] odds; // by class, to the likeliest; then the probability
  private final int[] likeliest;
  private final double[] highest;
  private final double[] others;
  private final double[] sums;
  private final double[] scratch;

  SoftmaxBlock(int classes) {
    rows = Math.clamp(ENTRIES / classes, FEWEST_ROWS, MOST_ROWS);
    below = new double[classes][rows];
    odds = new double[classes][rows];
    likeliest = new int[rows];
    highest = new double[rows];
    others = new double[rows];
    sums = new double[rows];
    scratch = new double[rows];
  }

  /** Takes {@code count} rows of {@code n} from {@code from} on, if their highest are finite. */
  boolean take(double[] scores, int n, int from, int count) {
    for (int k = 0; k < below.length; k++) {
      System.arraycopy(scores, k * n + from, below[k], 0, count);
    }
    System.arraycopy(below[0], 0, highest, 0, count);
    for (double[] ofClass : below) {
      for (int row = 0; row < count; row++) {
        highest[row] = Math.max(highest[row], ofClass[row]);
      }
    }
    for (int row = 0; row < count; row++) {
      if (!Double.isFinite(highest[row])) {
        return false;
      }
    }
    for (int k = below.length - 1; k >= 0; k--) {
      double[] ofClass = below[k];
      for (int row = 0; row < count; row++) {
        ofClass[row] -= highest[row];
        likeliest[row] = ofClass[row] == 0 ? k : likeliest[row];
      }
      StrictExponential.exp(ofClass, count, odds[k], scratch);
    }
    for (int row = 0; row < count; row++) {
      odds[likeliest[row]][row] = 0;
      others[row] = 0;
    }
    for (double[] ofClass : odds) {
      for (int row = 0; row < count; row++) {
        others[row] += ofClass[row];
      }
    }
    for (int row = 0; row < count; row++) {
      sums[row] = 1 + others[row];
    }
    return true;
  }

  /** The loss of a row of the block, given the score of its label. */
  double loss(int row, double scoreOfLabel) {
    return highest[row] - scoreOfLabel + StrictMath.log1p(others[row]);
  }

  /** Writes probabilities and complements of the rows from {@code from} on, once. */
  void write(double[][] probability, double[][] complement, int from, int count) {
    for (int k = 0; k < odds.length; k++) {
      double[] p = odds[k];
      double[] q = below[k];
      for (int row = 0; row < count; row++) {
        q[row] = (sums[row] - p[row]) / sums[row];
        p[row] /= sums[row];
      }
      System.arraycopy(p, 0, probability[k], from, count);
      System.arraycopy(q, 0, complement[k], from, count);
    }
    for (int row = 0; row < count; row++) {
      probability[likeliest[row]][from + row] = 1 / sums[row];
      complement[likeliest[row]][from + row] = others[row] / sums[row];
    }
  }
}
