package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;

/** Gradient and hessian of each of K outputs: channels 2k and 2k + 1. */
final class VectorChannels implements Channels {
  private final int outputs;
  private final int rows;
  private final double[] values; // row-major, so that a row's channels are neighbours

  VectorChannels(int outputs, int rows) {
    this.outputs = outputs;
    this.rows = rows;
    values = new double[Math.multiplyExact(2 * outputs, rows)];
  }

  @Override
  public int count() {
    return 2 * outputs;
  }

  @Override
  public void derivatives(double[] gradients, double[] hessians) {
    for (int output = 0; output < outputs; output++) {
      for (int row = 0; row < rows; row++) {
        int at = 2 * (row * outputs + output);
        values[at] = gradients[output * rows + row];
        values[at + 1] = hessians[output * rows + row];
      }
    }
  }

  @Override
  public Totals totals(int[] sample, int size) {
    double[] sums = new double[count()];
    for (int k = 0; k < size; k++) {
      int at = sample[k] * sums.length;
      for (int channel = 0; channel < sums.length; channel++) {
        sums[channel] += values[at + channel];
      }
    }
    return new Totals(sums, size);
  }

  @Override
  public void gather(int[] sample, int from, int to) {} // rows are looked up where they are

  @Override
  public void accumulate(
      BinColumn column, int firstCell, int[] sample, int from, int to, Histogram histogram) {
    int channels = count();
    double[] sums = histogram.sums;
    for (int k = from; k < to; k++) {
      int row = sample[k];
      int cell = firstCell + column.bin(row);
      int target = cell * channels;
      int source = row * channels;
      for (int channel = 0; channel < channels; channel++) {
        sums[target + channel] += values[source + channel];
      }
      histogram.counts[cell]++;
    }
  }
}
