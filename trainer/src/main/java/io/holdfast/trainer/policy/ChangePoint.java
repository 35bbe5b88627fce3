package io.holdfast.trainer.policy;

/**
 * Since when the world is as it is now: the row after which an ensemble of short memory began to
 * lose less than one of long memory. Owned by one thread.
 */
final class ChangePoint {
  /*
   * A cumulative sum (Page 1954) of what the long memory loses more than the short one, less a margin
   * and never below 0. Once it is large, the world has changed where it last was 0. In a world that
   * stays, a long memory loses less, so that the sum stays near 0.
   */

  /** In units of the log of a probability, a row. */
  private static final double MARGIN = 0.02;

  /** In the same units: the rows since then are e^12 times likelier to the short memory. */
  private static final double EVIDENCE = 12;

  private final String sumKey;
  private final String beginKey;
  private final String lastKey;
  private double sum;
  private long begin;
  private long last;

  ChangePoint(String keyPrefix) {
    sumKey = keyPrefix + "sum";
    beginKey = keyPrefix + "begin";
    lastKey = keyPrefix + "last";
  }

  void exchange(StateFields fields) {
    sum = fields.exchange(sumKey, sum);
    begin = (long) fields.exchange(beginKey, (double) begin);
    last = (long) fields.exchange(lastKey, (double) last);
  }

  /** How many rows came before the last change; 0 if there was none. */
  long last() {
    return last;
  }

  /** Takes the scaled losses of row {@code row}, counted from 1. */
  void next(double ofShort, double ofLong, long row) {
    sum += FadingLoss.bounded(ofLong) - FadingLoss.bounded(ofShort) - MARGIN;
    if (sum > EVIDENCE) {
      last = begin;
      sum = 0;
    }
    if (!(sum > 0)) {
      sum = 0;
      begin = row;
    }
  }

  /** Multiplies all losses by {@code factor}. */
  void rescale(double factor) {
    sum *= factor;
  }
}
