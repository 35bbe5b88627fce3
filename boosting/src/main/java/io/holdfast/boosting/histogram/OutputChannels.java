package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.numeric.Buffers;

/** Gradient and hessian of each of K outputs, one or more: channels 2k and 2k + 1. */
public final class OutputChannels implements Channels {
  private final int outputs;
  private final int rows;
  private final long[] values; // row-major, so that a row's channels are neighbours
  private final RowSums.Values ofRows;
  private RowSums loop = RowSums.FORM.plain();
  private FixedPoint gradientSteps = FixedPoint.of(0, 0);
  private FixedPoint hessianSteps = FixedPoint.of(0, 0);

  public OutputChannels(int outputs, int rows, Buffers buffers) {
    this.outputs = outputs;
    this.rows = rows;
    values = buffers.longs(Math.multiplyExact(2 * outputs, rows));
    ofRows = new RowSums.Values(2 * outputs, values);
  }

  @Override
  public int count() {
    return 2 * outputs;
  }

  @Override
  public Totals start(double[] gradients, double[] hessians, RowSample sample) {
    loop = RowSums.FORM.current();
    gradientSteps = FixedPoint.of(largest(gradients, sample), sample.size());
    hessianSteps = FixedPoint.of(largest(hessians, sample), sample.size());
    long[] totals = new long[count()];
    for (int output = 0; output < outputs; output++) {
      for (int k = 0; k < sample.size(); k++) {
        int row = sample.rows()[k];
        int at = 2 * (row * outputs + output);
        values[at] = gradientSteps.steps(gradients[output * rows + row]);
        values[at + 1] = hessianSteps.steps(hessians[output * rows + row]);
        totals[2 * output] += values[at];
        totals[2 * output + 1] += values[at + 1];
      }
    }
    double[] sums = new double[count()];
    for (int channel = 0; channel < sums.length; channel++) {
      sums[channel] = totals[channel] * unit(channel);
    }
    return new Totals(sums, sample.size());
  }

  private double largest(double[] derivatives, RowSample sample) {
    double largest = 0;
    for (int output = 0; output < outputs; output++) {
      double ofOutput = FixedPoint.largest(derivatives, output * rows, sample);
      largest = Math.max(largest, ofOutput);
    }
    return largest;
  }

  private double unit(int channel) {
    return channel % 2 == 0 ? gradientSteps.unit : hessianSteps.unit;
  }

  @Override
  public void gather(int[] sample, int from, int to) {} // rows are looked up where they are

  @Override
  public void accumulate(
      BinColumn column, int firstCell, int[] sample, int from, int to, long[] cells) {
    loop.add(ofRows, column, firstCell, sample, from, to, cells);
  }

  @Override
  public void read(long[] cells, int firstCell, int bins, ColumnCells target) {
    int channels = count();
    double gradientUnit = gradientSteps.unit;
    double hessianUnit = hessianSteps.unit;
    for (int bin = 0; bin < bins; bin++) {
      int at = (firstCell + bin) * (1 + channels);
      target.counts[bin] = (int) cells[at];
      if (cells[at] == 0) {
        continue; // nobody asks for its sums
      }
      int to = bin * channels;
      for (int channel = 0; channel < channels; channel += 2) {
        target.sums[to + channel] = cells[at + 1 + channel] * gradientUnit;
        target.sums[to + channel + 1] = cells[at + 2 + channel] * hessianUnit;
      }
    }
  }
}
