package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import java.util.Arrays;

/**
 * What a histogram cell adds up of its rows: how many they are, and after that the channels, in
 * fixed point. {@link #start} and {@link #gather} are called by the growing thread; {@link
 * #accumulate} and {@link #read} by any, for different columns.
 */
public abstract sealed class Channels
    permits ScalarChannels, OutputChannels, AnchorCoupling.AnchorChannels {
  private final double[] units; // of each channel
  double[] gradients = {};
  double[] hessians = {};
  FixedPoint gradientSteps = FixedPoint.of(0, 0);
  FixedPoint hessianSteps = FixedPoint.of(0, 0);

  Channels(int count) {
    units = new double[count];
  }

  /** Sums of a cell, the number of rows not counted. */
  public final int count() {
    return units.length;
  }

  /**
   * Takes the derivatives that the next tree grows on; returns the sums over its rows.
   *
   * @param newGradients output-major, weight included; hessians alike
   * @param sample the rows that splits are to be found for
   */
  public final Totals start(double[] newGradients, double[] newHessians, RowSample sample) {
    gradients = newGradients;
    hessians = newHessians;
    gradientSteps = FixedPoint.of(largest(gradients, sample), sample.size());
    hessianSteps = FixedPoint.of(largest(hessians, sample), sample.size());
    Arrays.setAll(units, channel -> (gradient(channel) ? gradientSteps : hessianSteps).unit);
    long[] steps = new long[units.length];
    addUp(sample, steps);
    double[] sums = new double[steps.length];
    Arrays.setAll(sums, channel -> steps[channel] * units[channel]);
    return new Totals(sums, sample.size());
  }

  double largest(double[] derivatives, RowSample sample) {
    return FixedPoint.largest(derivatives, 0, sample);
  }

  /** Whether a channel sums gradients; else it sums hessians. */
  boolean gradient(int channel) {
    return channel == 0;
  }

  /** Adds up all rows of the sample, in steps. */
  abstract void addUp(RowSample sample, long[] totals);

  /** Lays out {@code rows[from, to)}, before that stretch is accumulated. */
  public abstract void gather(int[] rows, int from, int to);

  /** Adds the stretch that was gathered last into the cells of a column. Allocates nothing. */
  public abstract void accumulate(
      BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells);

  /** Reads {@code bins} cells; the sums of a cell without rows are left as they are. */
  public void read(long[] cells, int firstCell, int bins, ColumnCells target) {
    double[] unit = units;
    double[] sums = target.sums;
    int channels = unit.length;
    for (int bin = 0; bin < bins; bin++) {
      int at = (firstCell + bin) * (1 + channels);
      target.counts[bin] = (int) cells[at];
      if (cells[at] == 0) {
        continue;
      }
      for (int channel = 0; channel < channels; channel++) {
        sums[bin * channels + channel] = cells[at + 1 + channel] * unit[channel];
      }
    }
  }

  /** The rows and channel sums of each bin of one column, in one leaf. Scratch: not thread-safe. */
  public static final class ColumnCells {
    public final int channels;
    public final double[] sums; // channel k of bin b at b · channels + k
    public final int[] counts;

    public ColumnCells(int bins, int channels) {
      this.channels = channels;
      sums = new double[Math.multiplyExact(bins, channels)];
      counts = new int[bins];
    }
  }
}
