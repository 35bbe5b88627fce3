package io.holdfast.trainer.policy;

import io.holdfast.schemas.version.Figures;
import java.util.Map;

/**
 * Whether the losses of the newest rows have risen above those of the rows before them. Owned by
 * one thread.
 */
final class LossRise {
  /*
   * The mean of the last thirty rows or so against mean and spread of the last 500 since it rose
   * last. The spread of the one is that of a row times sqrt((1 - f) / (1 + f)), with f what a row
   * fades by. Losses have heavy tails: the mean of ten rows was four spreads above once in 1,000 to
   * 3,000 rows of streams that did not drift, and each time all ensembles were trained at every turn.
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

  /** One that is remembered under names that begin with {@code prefix}. */
  LossRise(String prefix) {
    newestKey = prefix + "newest";
    sumKey = prefix + "sum";
    squaresKey = prefix + "squares";
    rowsKey = prefix + "rows";
    lastKey = prefix + "last";
  }

  void read(Map<String, Double> metrics) {
    newest = metrics.getOrDefault(newestKey, 0.0);
    sum = metrics.getOrDefault(sumKey, 0.0);
    squares = metrics.getOrDefault(squaresKey, 0.0);
    rows = metrics.getOrDefault(rowsKey, 0.0);
    last = metrics.getOrDefault(lastKey, 0.0).longValue();
  }

  void write(Figures.Builder metrics) {
    metrics.put(newestKey, newest);
    metrics.put(sumKey, sum);
    metrics.put(squaresKey, squares);
    metrics.put(rowsKey, rows);
    metrics.put(lastKey, (double) last);
  }

  /** Before which row it rose last; 0 if it never did. */
  long last() {
    return last;
  }

  /**
   * Takes the loss of one more row.
   *
   * @param row its number, from 1
   * @return whether it has risen
   */
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

  /** Divides losses by something else from now on. */
  void rescale(double factor) {
    newest *= factor;
    sum *= factor;
    squares *= factor * factor;
  }
}
