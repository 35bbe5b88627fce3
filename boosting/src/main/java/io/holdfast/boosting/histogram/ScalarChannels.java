package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.numeric.Buffers;

/** Gradient and hessian of a single output. */
public final class ScalarChannels extends Channels {
  private final long[] pairs; // in the order of the rows that were gathered

  public ScalarChannels(int rows, Buffers buffers) {
    super(2);
    pairs = buffers.longs(Math.multiplyExact(2, rows));
  }

  @Override
  void addUp(RowSample sample, long[] totals) {
    for (int k = 0; k < sample.size(); k++) {
      int row = sample.rows()[k];
      totals[0] += gradientSteps.steps(gradients[row]);
      totals[1] += hessianSteps.steps(hessians[row]);
    }
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
