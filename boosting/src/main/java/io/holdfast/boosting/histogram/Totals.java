package io.holdfast.boosting.histogram;

/**
 * Sums over the rows of a leaf. Treated as immutable.
 *
 * @param sums one a channel
 * @param rows how many rows
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and only this package sees it
public record Totals(double[] sums, int rows) {
  public static final Totals ZERO = new Totals(new double[0], 0);

  public Totals minus(Totals part) {
    double[] rest = new double[sums.length];
    for (int channel = 0; channel < rest.length; channel++) {
      rest[channel] = sums[channel] - part.sums[channel];
    }
    return new Totals(rest, rows - part.rows);
  }
}
