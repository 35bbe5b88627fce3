package io.holdfast.boosting.uncertainty;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Promises where labels will be as rows are served, and learns from the labels that come: when to
 * take thresholds and spreads anew follows from their number alone. Owned by one thread.
 */
public final class UncertaintyLearner {
  private static final int EVERY = 100; // labels, from one set of thresholds to the next
  private static final int REFIT = 1_000; // labels, from one model of spreads to the next
  private static final int FIRST = 500; // labels before the first
  private static final int MOST = 4_000; // rows that such a model is learned from

  private final boolean classes;
  private final CoverageLearner coverage;
  private final ArrayDeque<Labelled> newest = new ArrayDeque<>();
  private Thresholds thresholds;
  private @Nullable Model spreads;
  private @Nullable Scorer scorer;
  private long labels;

  /** What a row was served with; a spread of 0 if no errors were known. */
  public record Served(Thresholds thresholds, double spread) {}

  /**
   * A row whose label has come.
   *
   * @param error as {@link CoverageLearner#add} takes it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Labelled(
      String environment, double[] features, double prediction, double error, Served served) {}

  /** For these levels, ascending, of classes or numbers. */
  public UncertaintyLearner(List<Double> levels, boolean classes) {
    this.classes = classes;
    coverage = new CoverageLearner(levels, classes);
    thresholds = Thresholds.none(levels);
  }

  /** What holds for a row that is scored now. */
  public Served serve(double[] features, double prediction) {
    return new Served(thresholds, spread(features, prediction));
  }

  private double spread(double[] features, double prediction) {
    if (scorer == null) {
      return classes ? 1 : 0;
    }
    double[] values = new double[features.length + 1];
    System.arraycopy(features, 0, values, 0, features.length);
    values[features.length] = prediction;
    double[] raw = new double[1];
    scorer.score(values, raw);
    return SpreadModel.spread(raw[0]);
  }

  /** Takes a label; {@code features} are what the row's values are of. */
  public void learn(Labelled row, List<Feature> features) {
    labels++;
    if (!classes) {
      newest.addLast(row);
      if (newest.size() > MOST) {
        newest.removeFirst();
      }
    }
    boolean first = spreads == null;
    if (!first || classes) {
      book(row);
    }
    if (!classes && (labels % REFIT == 0 || labels == FIRST)) {
      spreads = fit(features);
      scorer = Scorer.of(spreads);
      if (first) {
        newest.forEach(this::book); // by a model that was learned from them: little is off
      }
    }
    if (labels % EVERY == 0) {
      thresholds = coverage.thresholds();
    }
  }

  private void book(Labelled row) {
    double served = row.served.spread;
    double spread = served > 0 ? served : spread(row.features, row.prediction);
    coverage.add(row.environment, row.error, spread, row.served.thresholds);
  }

  private Model fit(List<Feature> features) {
    Rows.Builder rows = Rows.builder(features.size());
    double[] predictions = new double[newest.size()];
    int at = 0;
    for (Labelled row : newest) {
      predictions[at++] = row.prediction;
      rows.add(row.features, row.prediction + row.error, 1, row.environment);
    }
    return SpreadModel.fit(features, rows.build(), predictions, 0);
  }

  /** The thresholds in force. */
  public Thresholds thresholds() {
    return thresholds;
  }

  /** The model of spreads in force; null of classes, and before there is one. */
  public @Nullable Model spreads() {
    return spreads;
  }
}
