package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;

/** The gradient as channel 0, and the hessian of the rows of group e as channel 1 + e. */
final class GroupChannels implements Channels {
  private final AnchorCoupling coupling;
  private final double[] pairs; // in the order of the rows that were gathered, as are the groups
  private final int[] groups;
  private double[] gradients = {};
  private double[] hessians = {};

  GroupChannels(AnchorCoupling coupling) {
    this.coupling = coupling;
    pairs = new double[Math.multiplyExact(2, coupling.rows())];
    groups = new int[coupling.rows()];
  }

  @Override
  public int count() {
    return 1 + coupling.groups();
  }

  @Override
  public void derivatives(double[] newGradients, double[] newHessians) {
    gradients = newGradients;
    hessians = newHessians;
  }

  @Override
  public Totals totals(int[] rows, int size) {
    double[] sums = new double[count()];
    for (int k = 0; k < size; k++) {
      sums[0] += gradients[rows[k]];
      sums[1 + coupling.group(rows[k])] += hessians[rows[k]];
    }
    return new Totals(sums, size);
  }

  @Override
  public void gather(int[] rows, int from, int to) {
    for (int k = from; k < to; k++) {
      pairs[2 * k] = gradients[rows[k]];
      pairs[2 * k + 1] = hessians[rows[k]];
      groups[k] = coupling.group(rows[k]);
    }
  }

  @Override
  public void accumulate(
      BinColumn column, int firstCell, int[] rows, int from, int to, Histogram histogram) {
    int channels = count();
    double[] sums = histogram.sums;
    for (int k = from; k < to; k++) {
      int cell = firstCell + column.bin(rows[k]);
      int target = cell * channels;
      sums[target] += pairs[2 * k];
      sums[target + 1 + groups[k]] += pairs[2 * k + 1];
      histogram.counts[cell]++;
    }
  }
}
