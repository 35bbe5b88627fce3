package io.holdfast.cli.learn;

import java.util.Arrays;

/** Raw scores row by row, to be had output by output. Not thread-safe. */
final class KeptScores {
  private final int outputs;
  private double[] scores;
  private int rows;

  KeptScores(int outputs) {
    this.outputs = outputs;
    scores = new double[1024 * outputs];
  }

  /** Keeps one row's scores; the array is copied. */
  void add(double[] ofRow) {
    int at = rows * outputs;
    if (at == scores.length) {
      scores = Arrays.copyOf(scores, Math.multiplyExact(2, scores.length));
    }
    System.arraycopy(ofRow, 0, scores, at, outputs);
    rows++;
  }

  /** Of output {@code k} and row {@code r} of {@code n} at {@code k * n + r}. */
  double[] byOutput() {
    double[] byOutput = new double[rows * outputs];
    for (int row = 0; row < rows; row++) {
      for (int k = 0; k < outputs; k++) {
        byOutput[k * rows + row] = scores[row * outputs + k];
      }
    }
    return byOutput;
  }
}
