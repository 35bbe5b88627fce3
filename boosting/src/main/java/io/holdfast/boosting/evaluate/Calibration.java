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
}
