package io.holdfast.trainer.policy;

/**
 * Whether the losses of the newest rows have risen above those of the rows before. Owned by one
 * thread.
 */
final class LossRise {
  /*
   * Compares a fading mean of about thirty rows with mean and spread of the last 500 since the last
   * rise. The spread of the fast mean is that of a row times sqrt((1 - f) / (1 + f)), where f is its
   * fading factor. It is that slow since losses have heavy tails: a mean of ten rows raised false
   * alarms once in 1,000 to 3,000 rows.
   */
  private static final double FAST = StrictMath.pow(0.5, 1.0 / 30);
  private static final double SLOW = StrictMath.pow(0.5, 1.0 / 500);
  private static final double SPREAD = StrictMath.sqrt((1 - FAST) / (1 + FAST));
  private static final double DEVIATIONS = 4;
  private static final double FEWEST_ROWS = 100;

  private final String newestKey;
  private final String sumKey;
  private final String squaresKey;
  private final String rowsKey;
  private final String lastKey;
  private double newest;
  private double sum;
  private double squares;
  private double rows;
  private long last;

  LossRise(String keyPrefix) {
    newestKey = keyPrefix + "newest";
    sumKey = keyPrefix + "sum";
    squaresKey = keyPrefix + "squares";
    rowsKey = keyPrefix + "rows";
    lastKey = keyPrefix + "last";
  }

  void exchange(StateFields fields) {
    newest = fields.exchange(newestKey, newest);
    sum = fields.exchange(sumKey, sum);
    squares = fields.exchange(squaresKey, squares);
    rows = fields.exchange(rowsKey, rows);
    last = (long) fields.exchange(lastKey, (double) last);
  }

  /** The number of the row at which it rose last; 0 if it never did. */
  long last() {
    return last;
  }

  /** Takes the scaled loss of row {@code row}, counted from 1; whether it has risen. */
  boolean next(double scaled, long row) {
    double loss = FadingLoss.bounded(scaled);
    newest = rows == 0 ? loss : FAST * newest + (1 - FAST) * loss;
    boolean risen = rows > FEWEST_ROWS && above();
    sum = risen ? 0 : SLOW * sum + loss;
    squares = risen ? 0 : SLOW * squares + loss * loss;
    rows = risen ? 0 : SLOW * rows + 1;
    last = risen ? row : last;
    return risen;
  }

  private boolean above() {
    double mean = sum / rows;
    double deviation = StrictMath.sqrt(Math.max(0, squares / rows - mean * mean));
    return deviation > 0 && newest - mean > DEVIATIONS * SPREAD * deviation;
  }

  /** Multiplies all losses by {@code factor}. */
  void rescale(double factor) {
    newest *= factor;
    sum *= factor;
    squares *= factor * factor;
  }
}
