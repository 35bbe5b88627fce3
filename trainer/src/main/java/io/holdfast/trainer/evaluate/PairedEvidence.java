package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Evidence that a version loses less than the one that serves, on rows that neither was trained on.
 * Immutable.
 *
 * @param asked the number of the head that asked for it
 * @param serving the version that served last
 * @param units how many units count in {@code squares}
 * @param squares the sum of the units' squared mean gains
 * @param all of all rows
 * @param open of the rows since the last unit
 * @param bets on the units' mean gains
 */
public record PairedEvidence(
    long asked, long serving, long units, double squares, Sum all, Sum open, EProcess bets) {
  /*
   * A row's gain is its loss by the version that serves less that by the other. Rows of a window may
   * depend on each other, so a unit is one window, or several small ones with UNIT_ROWS rows together.
   * Its mean gain m is bounded to m / (REACH s) within [-1, 1], s being the root mean square of the units
   * before it, which is known beforehand: so the bets are fair if the bounded gain's mean is 0. The
   * first unit is for s alone. Gains beyond REACH s count as that; and whatever the bets say, the plain
   * mean gain of all rows must be above 0.
   */
  static final int UNIT_ROWS = 50;

  private static final double REACH = 2;
  private static final String BETWEEN = ":";

  /** Rows, their weight, and the sum of their gains by weight. */
  public record Sum(long rows, double weight, double gain) {
    static final Sum NONE = new Sum(0, 0, 0);

    Sum plus(Sum other) {
      return new Sum(rows + other.rows, weight + other.weight, gain + other.gain);
    }

    double mean() {
      return gain / weight;
    }
  }

  /** Without rows. */
  public static PairedEvidence none(long asked, long serving) {
    return new PairedEvidence(asked, serving, 0, 0, Sum.NONE, Sum.NONE, EProcess.NONE);
  }

  /**
   * With a window's rows.
   *
   * @param losses of each row, by the version that would serve
   * @param present of each row, by the version that serves
   */
  public PairedEvidence plus(Rows rows, double[] losses, double[] present) {
    double weight = 0;
    double gain = 0;
    for (int row = 0; row < rows.size(); row++) {
      weight += rows.weight(row);
      gain += rows.weight(row) * (present[row] - losses[row]);
    }
    Sum window = new Sum(rows.size(), weight, gain);
    Sum unit = open.plus(window);
    Sum more = all.plus(window);
    return unit.rows() < UNIT_ROWS || !(unit.weight() > 0)
        ? new PairedEvidence(asked, serving, units, squares, more, unit, bets)
        : bet(more, unit.mean());
  }

  private PairedEvidence bet(Sum more, double mean) {
    double reach = REACH * Math.sqrt(squares / units); // NaN before the first unit
    EProcess after = reach > 0 ? bets.next(bounded(mean / reach)) : bets;
    boolean finite = Double.isFinite(mean * mean);
    return new PairedEvidence(
        asked,
        serving,
        finite ? units + 1 : units,
        finite ? squares + mean * mean : squares,
        more,
        Sum.NONE,
        after);
  }

  /** NaN counts against. */
  private static double bounded(double value) {
    return value >= -1 ? Math.min(1, value) : -1;
  }

  /** The same, of which another version serves now, as it was trained. */
  public PairedEvidence served(long version) {
    return new PairedEvidence(asked, version, units, squares, all, open, bets);
  }

  /** Whether it is enough for that rate of errors. */
  public boolean shows(double error) {
    return bets.shows(error) && all.gain() > 0;
  }

  /** By how much the mean loss is lower; NaN without rows. */
  public double gain() {
    return all.mean();
  }

  /** Empty if something else wrote the text. */
  public static Optional<PairedEvidence> parse(String text) {
    String[] parts = text.split(BETWEEN, -1);
    try {
      int at = 10;
      List<Double> wealth = new ArrayList<>();
      while (at < parts.length) {
        wealth.add(Double.valueOf(parts[at++]));
      }
      return parts.length < 10
          ? Optional.empty()
          : Optional.of(
              new PairedEvidence(
                  Long.parseLong(parts[0]),
                  Long.parseLong(parts[1]),
                  Long.parseLong(parts[2]),
                  Double.parseDouble(parts[3]),
                  sum(parts, 4),
                  sum(parts, 7),
                  EProcess.of(wealth)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Sum sum(String[] parts, int from) {
    return new Sum(
        Long.parseLong(parts[from]),
        Double.parseDouble(parts[from + 1]),
        Double.parseDouble(parts[from + 2]));
  }

  /** To the last bit, without a blank. */
  @Override
  public String toString() {
    List<Object> parts = new ArrayList<>(List.of(asked, serving, units, squares));
    for (Sum sum : List.of(all, open)) {
      parts.addAll(List.of(sum.rows(), sum.weight(), sum.gain()));
    }
    parts.addAll(bets.wealth());
    return parts.stream().map(String::valueOf).collect(Collectors.joining(BETWEEN));
  }
}
