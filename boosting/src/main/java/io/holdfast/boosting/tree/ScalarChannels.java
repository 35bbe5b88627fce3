package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;

/** Gradient and hessian of a single output. */
final class ScalarChannels implements Channels {
  private final double[] pairs; // in the order of the rows that were gathered
  private double[] gradients = {};
  private double[] hessians = {};

  ScalarChannels(int rows) {
    pairs = new double[Math.multiplyExact(2, rows)];
  }

  @Override
  public int count() {
    return 2;
  }

  @Override
  public void derivatives(double[] newGradients, double[] newHessians) {
    gradients = newGradients;
    hessians = newHessians;
  }

  @Override
  public Totals totals(int[] rows, int size) {
    double gradient = 0;
    double hessian = 0;
    for (int k = 0; k < size; k++) {
      gradient += gradients[rows[k]];
      hessian += hessians[rows[k]];
    }
    return new Totals(new double[] {gradient, hessian}, size);
  }

  @Override
  public void gather(int[] rows, int from, int to) {
    for (int k = from; k < to; k++) {
      pairs[2 * k] = gradients[rows[k]];
      pairs[2 * k + 1] = hessians[rows[k]];
    }
  }

  @Override
  public void accumulate(
      BinColumn column, int firstCell, int[] rows, int from, int to, Histogram histogram) {
    column.accumulate(rows, from, to, pairs, histogram.sums, histogram.counts, firstCell);
  }
}
