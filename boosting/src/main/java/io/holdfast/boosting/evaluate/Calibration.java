package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.objective.Objective;
import org.jspecify.annotations.Nullable;

/**
 * How far scores were off in what they said of themselves, on the newest rows whose labels have
 * come: what {@link Expected} is corrected by. Owned by one thread.
 */
public final class Calibration {
  private final Newest newest;
  private @Nullable Account account;

  /** On the newest {@code rows} rows. */
  public Calibration(int rows) {
    newest = new Newest(rows);
  }

  /** The next row that was scored and has a label now. */
  public void add(Objective objective, double label, double[] raw, double weight) {
    Account of = account;
    if (of == null) {
      of = new Account(objective);
      account = of;
    }
    of.expect(objective, raw);
    double first = of.first;
    double second = of.second;
    of.measure(objective, label, raw);
    newest.add(weight, first, second, of.first, of.second);
  }

  /** How many rows it is of. */
  public int rows() {
    return newest.size();
  }

  double firstGap() {
    return (newest.sum(3) - newest.sum(1)) / newest.sum(0);
  }

  double secondGap() {
    return (newest.sum(4) - newest.sum(2)) / newest.sum(0);
  }

  double firstFactor() {
    return newest.sum(3) / newest.sum(1);
  }

  double secondFactor() {
    return newest.sum(4) / newest.sum(2);
  }
}
