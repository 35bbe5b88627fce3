package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.StreamEvaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.evaluate.Tested;
import io.holdfast.boosting.objective.Objective;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a stream from one on, and what the best constant of all labels before would have lost
 * on them. They are the same rows for every model, however its windows fall. Owned by one thread.
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
  private @Nullable Objective constant;
  private double[] scores = {};
  private long rows;
  private double weight;
  private double constantLoss;

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

  /** A row whose label has come. */
  void add(long number, Tested row, String environment) {
    if (number >= from) {
      evaluation.add(row, environment);
      rows++;
      weight += row.weight();
      constantLoss += besideConstant ? row.weight() * lossOfConstant(row.label()) : 0;
    }
    if (besideConstant) {
      labels.add(new double[] {0}, row.label(), row.weight(), environment);
      known++;
    }
  }

  private double lossOfConstant(double label) {
    if (known > 0 && known >= GROWTH * fitted) {
      fitted = known;
      try {
        Rows before = labels.build();
        Objective learned = objective.unfitted().fittedTo(before);
        scores = learned.initialScores(before);
        constant = learned;
      } catch (IllegalArgumentException e) {
        constant = null; // rows that are usable one by one and not together
      }
    }
    return constant == null ? Double.NaN : constant.loss(label, scores);
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
