package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.numeric.Buffers;

/** Gradient and hessian of each of K outputs, one or more: channels 2k and 2k + 1. */
public final class OutputChannels extends Channels {
  private final int outputs;
  private final int rows;
  private final RowSums.Values values; // row-major, so that a row's channels are neighbours
  private RowSums loop = RowSums.FORM.plain();

  public OutputChannels(int outputs, int rows, Buffers buffers) {
    super(2 * outputs);
    this.outputs = outputs;
    this.rows = rows;
    long[] array = buffers.longs(Math.multiplyExact(2 * outputs, rows));
    values = new RowSums.Values(2 * outputs, array);
  }

  @Override
  double largest(double[] derivatives, RowSample sample) {
    double largest = 0;
    for (int output = 0; output < outputs; output++) {
      largest = Math.max(largest, FixedPoint.largest(derivatives, output * rows, sample));
    }
    return largest;
  }

  @Override
  boolean gradient(int channel) {
    return channel % 2 == 0;
  }

  @Override
  void addUp(RowSample sample, long[] totals) {
    loop = RowSums.FORM.current();
    long[] steps = values.values();
    for (int output = 0; output < outputs; output++) {
      for (int k = 0; k < sample.size(); k++) {
        int row = sample.rows()[k];
        int at = 2 * (row * outputs + output);
        steps[at] = gradientSteps.steps(gradients[output * rows + row]);
        steps[at + 1] = hessianSteps.steps(hessians[output * rows + row]);
        totals[2 * output] += steps[at];
        totals[2 * output + 1] += steps[at + 1];
      }
    }
  }

  @Override
  public void gather(int[] sample, int from, int to) {} // rows are looked up where they are

  @Override
  public void accumulate(
      BinColumn column, int firstCell, int[] sample, int from, int to, long[] cells) {
    loop.add(values, column, firstCell, sample, from, to, cells);
  }
}
