package io.holdfast.boosting.histogram;

import java.util.Arrays;

/** Sums over the rows of a leaf, one a channel, and how many rows they are. Never written to. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Totals(double[] sums, int rows) {
  public static final Totals ZERO = new Totals(new double[0], 0);

  public Totals minus(Totals part) {
    double[] rest = new double[sums.length];
    Arrays.setAll(rest, channel -> sums[channel] - part.sums[channel]);
    return new Totals(rest, rows - part.rows);
  }
}
