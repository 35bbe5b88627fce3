package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.StreamEvaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.evaluate.Tested;
import io.holdfast.boosting.objective.Objective;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a stream from one on, and what the best constant of all labels that had come when
 * they were scored would have lost on them. They are the same rows for every model, however its
 * windows fall. Owned by one thread.
 */
final class LaterRows {
  private static final double GROWTH = 1.05; // of the labels from one constant to the next

  private final long from;
  private final boolean besideConstant;
  private final Objective objective;
  private final StreamEvaluation evaluation;
  private final Rows.Builder labels = Rows.builder(1);
  private int known;
  private int fitted;
  private @Nullable Constant constant;
  private long rows;
  private double weight;
  private double constantLoss;

  /**
   * The best constant of the labels that had come when a row was scored.
   *
   * @param scores the raw scores, one an output; not copied and never changed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Constant(Objective objective, double[] scores) {}

  /**
   * None yet.
   *
   * @param from the number of the first of them
   * @param besideConstant whether the loss of the constant is wanted too
   */
  LaterRows(long from, Objective objective, boolean besideConstant) {
    this.besideConstant = besideConstant;
    this.from = from;
    this.objective = objective;
    evaluation = new StreamEvaluation(objective.classes(), Backtest.NEWEST, Backtest.FADING);
  }

  /**
   * A row whose label has come.
   *
   * @param best what {@link #constant} said when the row was scored
   */
  void add(long number, Tested row, String environment, @Nullable Constant best) {
    if (number >= from) {
      evaluation.add(row, environment);
      rows++;
      weight += row.weight();
      constantLoss +=
          best == null ? Double.NaN : row.weight() * best.objective.loss(row.label(), best.scores);
    }
    if (besideConstant) {
      labels.add(new double[] {0}, row.label(), row.weight(), environment);
      known++;
    }
  }

  /**
   * What a row that is scored now is held against; null if it is none of them, or no constant is
   * known.
   */
  @Nullable Constant constant(long number) {
    if (number >= from && besideConstant && known > 0 && known >= GROWTH * fitted) {
      fitted = known;
      try {
        Rows before = labels.build();
        Objective learned = objective.unfitted().fittedTo(before);
        constant = new Constant(learned, learned.initialScores(before));
      } catch (IllegalArgumentException e) {
        constant = null; // rows that are usable one by one and not together
      }
    }
    return number >= from ? constant : null;
  }

  StreamFigures figures() {
    return evaluation.cumulative();
  }

  SortedMap<String, StreamFigures> byEnvironment() {
    return evaluation.byEnvironment();
  }

  /** As the last quarter, in so many windows. */
  LastQuarter lastQuarter(int windows) {
    double loss = figures().byName().getOrDefault("loss", Double.NaN);
    return new LastQuarter(windows, rows, loss, constantLoss / weight);
  }
}
