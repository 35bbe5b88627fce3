package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.numeric.Buffers;

/** The gradient as channel 0, and the hessian of the rows of group e as channel 1 + e. */
public final class AnchorChannels implements Channels {
  private final AnchorCoupling coupling;
  private final long[] pairs; // in the order of the rows that were gathered, as are the groups
  private final int[] groups;
  private double[] gradients = {};
  private double[] hessians = {};
  private FixedPoint gradientSteps = FixedPoint.of(0, 0);
  private FixedPoint hessianSteps = FixedPoint.of(0, 0);

  public AnchorChannels(AnchorCoupling coupling, Buffers buffers) {
    this.coupling = coupling;
    pairs = buffers.longs(Math.multiplyExact(2, coupling.rows()));
    groups = buffers.ints(coupling.rows());
  }

  @Override
  public int count() {
    return 1 + coupling.groups();
  }

  @Override
  public Totals start(double[] newGradients, double[] newHessians, RowSample sample) {
    gradients = newGradients;
    hessians = newHessians;
    int size = sample.size();
    gradientSteps = FixedPoint.of(FixedPoint.largest(gradients, 0, sample), size);
    hessianSteps = FixedPoint.of(FixedPoint.largest(hessians, 0, sample), size);
    long[] totals = new long[count()];
    for (int k = 0; k < size; k++) {
      int row = sample.rows()[k];
      totals[0] += gradientSteps.steps(gradients[row]);
      totals[1 + coupling.group(row)] += hessianSteps.steps(hessians[row]);
    }
    double[] sums = new double[count()];
    for (int channel = 0; channel < sums.length; channel++) {
      sums[channel] = totals[channel] * unit(channel);
    }
    return new Totals(sums, size);
  }

  private double unit(int channel) {
    return channel == 0 ? gradientSteps.unit : hessianSteps.unit;
  }

  @Override
  public void gather(int[] rows, int from, int to) {
    for (int k = from; k < to; k++) {
      pairs[2 * k] = gradientSteps.steps(gradients[rows[k]]);
      pairs[2 * k + 1] = hessianSteps.steps(hessians[rows[k]]);
      groups[k] = coupling.group(rows[k]);
    }
  }

  @Override
  public void accumulate(
      BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells) {
    int stride = 1 + count();
    for (int k = from; k < to; k++) {
      int target = (firstCell + column.bin(rows[k])) * stride;
      cells[target]++;
      cells[target + 1] += pairs[2 * k];
      cells[target + 2 + groups[k]] += pairs[2 * k + 1];
    }
  }

  @Override
  public void read(long[] cells, int firstCell, int bins, ColumnCells target) {
    int channels = count();
    for (int bin = 0; bin < bins; bin++) {
      int at = (firstCell + bin) * (1 + channels);
      target.counts[bin] = (int) cells[at];
      for (int channel = 0; channel < channels; channel++) {
        target.sums[bin * channels + channel] = cells[at + 1 + channel] * unit(channel);
      }
    }
  }
}
