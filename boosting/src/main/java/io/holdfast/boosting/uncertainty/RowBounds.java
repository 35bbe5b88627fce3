package io.holdfast.boosting.uncertainty;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the labels of one version's rows are promised to be: bounds of numbers, or sets of classes.
 * Allocates nothing for a row. Owned by one thread.
 */
public final class RowBounds {
  private final Thresholds thresholds;
  private final Objective objective;
  private final @Nullable Scorer spreads;
  private final double[] values; // of a row, and its prediction
  private double[] block = new double[0]; // of several
  private final double[] raw = new double[1];
  private final double[] probabilities;
  private final double[] low;
  private final double[] high;
  private final double[] errors; // of each class

  /**
   * Those of a version.
   *
   * @param objective of the scores
   * @param spreads of the uncertainty's model; null of classes
   */
  public RowBounds(Uncertainty uncertainty, Objective objective, @Nullable Scorer spreads) {
    thresholds = uncertainty.thresholds();
    this.objective = objective;
    this.spreads = spreads;
    values =
        new double[uncertainty.spreads() == null ? 0 : uncertainty.spreads().features().size()];
    probabilities = new double[objective.classes()];
    errors = new double[objective.classes()];
    low = new double[thresholds.levels().size()];
    high = new double[low.length];
  }

  /** How often each promise is to be kept, ascending. */
  public List<Double> levels() {
    return thresholds.levels();
  }

  /** Whether sets of classes are promised. */
  public boolean ofClasses() {
    return errors.length > 0;
  }

  /** Whether rows of an environment have thresholds of their own; null if a row does not say. */
  public boolean knows(@Nullable String environment) {
    return environment != null && thresholds.knows(environment);
  }

  /** How large the error of a row is in the mean, by its features and raw scores; 1 of classes. */
  public double spread(double[] features, double[] rawScores) {
    if (spreads == null) {
      return 1;
    }
    System.arraycopy(features, 0, values, 0, values.length - 1);
    values[values.length - 1] = objective.prediction(rawScores);
    return SpreadModel.spread(spreads.score(values));
  }

  /**
   * Those of the first {@code count} rows of a row-major block: output {@code k} of row {@code r}
   * is at {@code rawScores[k * count + r]}.
   */
  public void spreads(double[] rows, int count, double[] rawScores, double[] target) {
    if (spreads == null) {
      Arrays.fill(target, 0, count, 1);
      return;
    }
    int width = values.length;
    if (block.length < count * width) {
      block = new double[count * width];
    }
    for (int row = 0; row < count; row++) {
      System.arraycopy(rows, row * (width - 1), block, row * width, width - 1);
      raw[0] = rawScores[row]; // a number has one
      block[row * width + width - 1] = objective.prediction(raw);
    }
    spreads.scores(block, count, target);
    for (int row = 0; row < count; row++) {
      target[row] = SpreadModel.spread(target[row]);
    }
  }

  /**
   * Works a row's promises out, to be asked for until the next call.
   *
   * @param environment null if the row does not say: it is then as one that was never seen
   * @param spread as {@link #spread} gave it
   */
  public void of(@Nullable String environment, double[] rawScores, double spread) {
    thresholds.errors(environment, spread, low, high);
    if (errors.length == 0) {
      double prediction = objective.prediction(rawScores);
      for (int level = 0; level < low.length; level++) {
        low[level] += prediction;
        high[level] += prediction;
      }
    } else {
      objective.probabilities(rawScores, probabilities);
      for (int k = 0; k < errors.length; k++) {
        errors[k] = Thresholds.classError(probabilities[k]);
      }
    }
  }

  /** The least number that is promised at a level, by its place. */
  public double lower(int level) {
    return low[level];
  }

  /** The greatest. */
  public double upper(int level) {
    return high[level];
  }

  /** Whether a class is in the set that is promised at a level. */
  public boolean holds(int level, int ofClass) {
    return errors[ofClass] >= low[level] && errors[ofClass] <= high[level];
  }

  /** How many classes there are; none of numbers. */
  public int classes() {
    return errors.length;
  }

  /** How many classes are in it. */
  public int size(int level) {
    int size = 0;
    for (int k = 0; k < errors.length; k++) {
      size += holds(level, k) ? 1 : 0;
    }
    return size;
  }
}
