package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.StreamEvaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.evaluate.Tested;
import io.holdfast.boosting.objective.Objective;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a stream from one on, the same for every model, and what the best constant of the
 * labels known when they were scored loses on them. Owned by one thread.
 */
final class LaterRows {
  private static final double GROWTH = 1.05; // of the labels from one constant to the next
  private static final int STRETCHES = 5;

  private final long from;
  private final long to;
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
  private final double[] stretchLoss = new double[STRETCHES];
  private final double[] stretchWeight = new double[STRETCHES];

  /** The best constant of the labels known when a row was scored; the scores are never changed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Constant(Objective objective, double[] scores) {}

  /** From one row up to another, not included. */
  LaterRows(long from, long to, Objective objective, boolean besideConstant) {
    this.to = to;
    this.besideConstant = besideConstant;
    this.from = from;
    this.objective = objective;
    evaluation = new StreamEvaluation(objective.classes(), Backtest.NEWEST, Backtest.FADING);
  }

  /** A row whose label has come; {@code best} is what {@link #constant} said when it was scored. */
  void add(long number, Tested row, String environment, @Nullable Constant best) {
    if (number >= from) {
      evaluation.add(row, environment);
      rows++;
      weight += row.weight();
      int stretch = (int) ((number - from) * STRETCHES / (to - from));
      stretchWeight[stretch] += row.weight();
      stretchLoss[stretch] += row.weight() * row.loss();
      constantLoss +=
          best == null ? Double.NaN : row.weight() * best.objective.loss(row.label(), best.scores);
    }
    if (besideConstant) {
      labels.add(new double[] {0}, row.label(), row.weight(), environment);
      known++;
    }
  }

  /** The constant for a row scored now; null before {@code from} or where none is known. */
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

  /** The mean loss of each fifth of the rows, of which some have labels. */
  List<Double> stretches() {
    return IntStream.range(0, STRETCHES)
        .filter(stretch -> stretchWeight[stretch] > 0)
        .mapToObj(stretch -> stretchLoss[stretch] / stretchWeight[stretch])
        .toList();
  }

  SortedMap<String, StreamFigures> byEnvironment() {
    return evaluation.byEnvironment();
  }

  LastQuarter lastQuarter(int windows) {
    double loss = figures().byName().getOrDefault("loss", Double.NaN);
    return new LastQuarter(windows, rows, loss, constantLoss / weight);
  }
}
