package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.objective.Objective;

/**
 * How far scores were off in what they said of themselves, on the newest rows whose labels have
 * come: what {@link Expected} is corrected by. Owned by one thread.
 */
public final class Calibration {
  private final Newest newest;
  private final Account account = new Account();

  /** On the newest {@code rows} rows. */
  public Calibration(int rows) {
    newest = new Newest(rows);
  }

  /** The next row that was scored and has a label now. */
  public void add(Objective objective, double label, double[] raw, double weight) {
    account.expect(objective, raw);
    double first = account.first;
    double second = account.second;
    account.measure(objective, label, raw);
    newest.add(weight, first, second, account.first, account.second);
  }

  /** How many rows it is of. */
  public int rows() {
    return newest.size();
  }

  /** How much more of a figure, 1 or 2, came true than was expected, a row. */
  double gap(int figure) {
    return (newest.sum(figure + 2) - newest.sum(figure)) / newest.sum(0);
  }

  /** How many times what was expected of a figure came true. */
  double factor(int figure) {
    return newest.sum(figure + 2) / newest.sum(figure);
  }

  /** How many rows of equal weight tell as much: fewer, the more weights differ. */
  public double effectiveRows() {
    double weight = newest.sum(0);
    return weight > 0 ? weight * weight / newest.squaredWeights() : 0;
  }

  /**
   * The standard error of what a figure comes to, a row, on {@code rows} rows to come that have the
   * same {@link #gap}.
   */
  double gapError(int figure, double rows) {
    double squares = newest.squares(figure + 2, figure, 1, gap(figure));
    double weight = newest.sum(0);
    return StrictMath.sqrt(squares / (weight * weight) + squares / newest.squaredWeights() / rows);
  }

  /** The same by {@link #factor}, where {@code expected} a row is said of the rows to come. */
  double factorError(int figure, double expected, double rows) {
    double squares = newest.squares(figure + 2, figure, factor(figure), 0);
    double scale = expected / newest.sum(figure);
    double weight = newest.sum(0);
    return scale
        * StrictMath.sqrt(squares + squares * weight * weight / newest.squaredWeights() / rows);
  }
}
