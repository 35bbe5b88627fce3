package io.holdfast.cli.coverage;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import io.holdfast.boosting.uncertainty.UncertaintyLearner;
import io.holdfast.boosting.uncertainty.UncertaintyLearner.Labelled;
import io.holdfast.boosting.uncertainty.UncertaintyLearner.Served;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Intervals or sets of classes that rows of a stream are served with, and how often they hold the
 * label. Owned by one thread.
 */
public final class ServedCoverage {
  private static final int STRETCH = 1_000; // labelled rows

  private final List<Double> levels;
  private final boolean classes;
  private final UncertaintyLearner learner;
  private final Sums all;
  private final SortedMap<String, Sums> environments = new TreeMap<>();
  private final List<Figures> stretches = new ArrayList<>();
  private Sums stretch;

  /** Of some rows, by level: how often labels were held, and the mean width, or size of sets. */
  public record Figures(long rows, List<Double> coverage, List<Double> width) {}

  /** Rows served before there was a promise are not counted; {@code overTime} is by 1,000 rows. */
  public record Result(
      List<Double> levels,
      Figures all,
      SortedMap<String, Figures> environments,
      List<Figures> overTime) {}

  private static final class Sums {
    private final double[] held;
    private final double[] widths;
    private long rows;

    Sums(int levels) {
      held = new double[levels];
      widths = new double[levels];
    }

    Figures figures() {
      List<Double> coverage = new ArrayList<>();
      List<Double> width = new ArrayList<>();
      for (int k = 0; k < held.length; k++) {
        coverage.add(held[k] / rows);
        width.add(widths[k] / rows);
      }
      return new Figures(rows, coverage, width);
    }
  }

  /** With promises of these levels, ascending, for labels of the objective. */
  public ServedCoverage(List<Double> levels, Objective objective) {
    this.levels = levels;
    classes = objective.classes() > 0;
    learner = new UncertaintyLearner(levels, classes);
    all = new Sums(levels.size());
    stretch = new Sums(levels.size());
  }

  /** A row as it was scored and promised. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Promised(
      List<Feature> features, double[] values, Objective objective, double[] raw, Served served) {}

  /** What a row is promised; the arrays are never changed. */
  public Promised serve(
      List<Feature> features, double[] values, Objective objective, double[] raw) {
    return new Promised(
        features, values, objective, raw, learner.serve(values, objective.prediction(raw)));
  }

  /** A row whose label has come. */
  public void learn(String environment, double label, Promised row) {
    double prediction = row.objective.prediction(row.raw);
    double[] probabilities = new double[row.objective.classes()];
    row.objective.probabilities(row.raw, probabilities);
    double error = classes ? Thresholds.classError(probabilities[(int) label]) : label - prediction;
    if (row.served.thresholds().labels() > 0) {
      Sums own = environments.computeIfAbsent(environment, name -> new Sums(levels.size()));
      for (Sums sums : List.of(all, own, stretch)) {
        sums.rows++;
        for (int k = 0; k < levels.size(); k++) {
          Range range = row.served.thresholds().bounds(environment, k, 0, row.served.spread());
          sums.held[k] += range.holds(error) ? 1 : 0;
          sums.widths[k] +=
              classes
                  ? row.served.thresholds().classes(environment, k, probabilities).size()
                  : range.high() - range.low();
        }
      }
      if (stretch.rows == STRETCH) {
        stretches.add(stretch.figures());
        stretch = new Sums(levels.size());
      }
    }
    learner.learn(
        new Labelled(environment, row.values, prediction, error, row.served), row.features);
  }

  /** Of all rows so far; asked once. */
  public Result result() {
    if (stretch.rows > 0) {
      stretches.add(stretch.figures());
    }
    SortedMap<String, Figures> figures = new TreeMap<>();
    environments.forEach((name, sums) -> figures.put(name, sums.figures()));
    return new Result(
        levels, all.figures(), Collections.unmodifiableSortedMap(figures), List.copyOf(stretches));
  }
}
