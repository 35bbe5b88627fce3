package io.holdfast.cli.learn;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.RowBounds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that are scored at once: filled by one thread, scored by another, then read again. */
final class ScoredBatch {
  static final int MOST = 1_024;

  private final long first; // its number in the file, from 1
  private final double[] features;
  private final List<RowFields.@Nullable Said> said = new ArrayList<>(MOST);
  private final List<@Nullable String> environments = new ArrayList<>(MOST);
  private double[] scores = {};
  private String text = "";

  ScoredBatch(long first, int width) {
    this.first = first;
    features = new double[MOST * width];
  }

  int size() {
    return said.size();
  }

  /**
   * Takes a row's features, what the file says beside them if that is asked for, and by which
   * environment its bounds go.
   */
  void add(double[] row, RowFields.@Nullable Said beside, @Nullable String environment) {
    System.arraycopy(row, 0, features, size() * row.length, row.length);
    said.add(beside);
    environments.add(environment);
  }

  ScoredBatch score(
      Scorer scorer, Objective objective, @Nullable RowBounds bounds, OfflineScores.Format format) {
    int rows = size();
    scores = new double[rows * scorer.outputs()];
    scorer.scores(features, rows, scores);
    double[] raw = new double[scorer.outputs()];
    double[] probabilities = new double[objective.classes()];
    double[] spreads = new double[rows];
    if (bounds != null) {
      bounds.spreads(features, rows, scores, spreads);
    }
    StringBuilder lines = new StringBuilder(rows * 64);
    for (int row = 0; row < rows; row++) {
      raw(row, raw);
      objective.probabilities(raw, probabilities);
      if (bounds != null) {
        bounds.of(environments.get(row), raw, spreads[row]);
      }
      double prediction = objective.prediction(raw);
      lines
          .append(format.line(first + row, prediction, probabilities, raw, bounds))
          .append(System.lineSeparator());
    }
    text = lines.toString();
    return this;
  }

  /** A line a row, each with its end. */
  String text() {
    return text;
  }

  RowFields.@Nullable Said said(int row) {
    return said.get(row);
  }

  /** Writes a row's raw scores. */
  void raw(int row, double[] target) {
    for (int k = 0; k < target.length; k++) {
      target[k] = scores[k * size() + row];
    }
  }
}
