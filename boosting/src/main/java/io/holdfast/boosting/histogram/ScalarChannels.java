package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.numeric.Buffers;

/** Gradient and hessian of a single output. */
public final class ScalarChannels implements Channels {
  private final long[] pairs; // in the order of the rows that were gathered
  private double[] gradients = {};
  private double[] hessians = {};
  private FixedPoint gradientSteps = FixedPoint.of(0, 0);
  private FixedPoint hessianSteps = FixedPoint.of(0, 0);

  public ScalarChannels(int rows, Buffers buffers) {
    pairs = buffers.longs(Math.multiplyExact(2, rows));
  }

  @Override
  public int count() {
    return 2;
  }

  @Override
  public Totals start(double[] newGradients, double[] newHessians, RowSample sample) {
    gradients = newGradients;
    hessians = newHessians;
    int size = sample.size();
    gradientSteps = FixedPoint.of(FixedPoint.largest(gradients, 0, sample), size);
    hessianSteps = FixedPoint.of(FixedPoint.largest(hessians, 0, sample), size);
    long gradient = 0;
    long hessian = 0;
    for (int k = 0; k < size; k++) {
      int row = sample.rows()[k];
      gradient += gradientSteps.steps(gradients[row]);
      hessian += hessianSteps.steps(hessians[row]);
    }
    double[] sums = {gradient * gradientSteps.unit, hessian * hessianSteps.unit};
    return new Totals(sums, size);
  }

  @Override
  public void gather(int[] rows, int from, int to) {
    for (int k = from; k < to; k++) {
      pairs[2 * k] = gradientSteps.steps(gradients[rows[k]]);
      pairs[2 * k + 1] = hessianSteps.steps(hessians[rows[k]]);
    }
  }

  @Override
  public void accumulate(
      BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells) {
    column.accumulate(rows, from, to, pairs, cells, firstCell);
  }

  @Override
  public void read(long[] cells, int firstCell, int bins, ColumnCells target) {
    for (int bin = 0; bin < bins; bin++) {
      int at = 3 * (firstCell + bin);
      target.counts[bin] = (int) cells[at];
      target.sums[2 * bin] = cells[at + 1] * gradientSteps.unit;
      target.sums[2 * bin + 1] = cells[at + 2] * hessianSteps.unit;
    }
  }
}
