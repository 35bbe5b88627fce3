package io.holdfast.cli.measure;

import io.holdfast.boosting.numeric.IndexSort;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Quantile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Predictions against what came, in ten groups of about as many rows each, by prediction: of two
 * classes the probability of 1, of more that of the likeliest and whether it was right, of numbers
 * themselves. Owned by one thread.
 */
public final class CalibrationGroups {
  private static final int GROUPS = 10;
  private static final int MOST = 1 << 14;
  private static final double Z = 1.959963984540054; // 95 % of a normal distribution

  /** Weighted means of a group; {@code lower} and {@code upper} hold what came in 95 of 100. */
  public record Group(int rows, double predicted, double observed, double lower, double upper) {}

  /*
   * Every 2^k-th row is kept, with k raised when there are too many: which rows stay depends on
   * their number alone.
   */
  private final List<double[]> kept = new ArrayList<>();
  private long seen;
  private long every = 1;
  private boolean shares;

  /** Adds a row; quantiles and labels that are no mean are left out. */
  public void add(Objective objective, double label, double[] raw, double weight) {
    if (objective instanceof Quantile || seen++ % every != 0) {
      return;
    }
    shares = objective.classes() > 0;
    double prediction = objective.prediction(raw);
    double observed = label;
    if (shares && !objective.binary()) {
      double[] probabilities = new double[objective.classes()];
      objective.probabilities(raw, probabilities);
      observed = prediction == label ? 1 : 0;
      prediction = probabilities[(int) prediction];
    }
    kept.add(new double[] {prediction, observed, weight});
    if (kept.size() > MOST) {
      List<double[]> half =
          IntStream.range(0, kept.size()).filter(k -> k % 2 == 0).mapToObj(kept::get).toList();
      kept.clear();
      kept.addAll(half);
      every *= 2;
    }
  }

  /** The groups by ascending prediction; none if there were fewer than two rows each. */
  public List<Group> groups() {
    int rows = kept.size();
    if (rows < 2 * GROUPS) {
      return List.of();
    }
    int[] order = IntStream.range(0, rows).toArray();
    double[] predictions = kept.stream().mapToDouble(row -> row[0]).toArray();
    IndexSort.ascending(order, rows, predictions, new int[rows]);
    List<Group> groups = new ArrayList<>();
    for (int group = 0; group < GROUPS; group++) {
      int from = (int) ((long) rows * group / GROUPS);
      int to = (int) ((long) rows * (group + 1) / GROUPS);
      List<double[]> own = IntStream.range(from, to).mapToObj(k -> kept.get(order[k])).toList();
      groups.add(of(own, shares));
    }
    return List.copyOf(groups);
  }

  private static Group of(List<double[]> rows, boolean shares) {
    double[] weights = rows.stream().mapToDouble(row -> row[2]).toArray();
    Mean predicted = Mean.of(rows.stream().mapToDouble(row -> row[0]).toArray(), weights);
    Mean observed = Mean.of(rows.stream().mapToDouble(row -> row[1]).toArray(), weights);
    if (!shares) {
      return new Group(
          rows.size(), predicted.value(), observed.value(), observed.lower(), observed.upper());
    }
    // Wilson's interval: that of the normal distribution is empty where all are alike.
    double p = observed.value();
    double n = rows.size();
    double middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n);
    double half = Z / (1 + Z * Z / n) * Math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
    return new Group(rows.size(), predicted.value(), p, middle - half, middle + half);
  }

  /** A weighted mean with the interval that holds the true one in 95 of 100. */
  public record Mean(double value, double lower, double upper) {
    /** Of at least one value; all weights are above 0. */
    public static Mean of(double[] values, double[] weights) {
      double weight = 0;
      double sum = 0;
      for (int k = 0; k < values.length; k++) {
        weight += weights[k];
        sum += weights[k] * values[k];
      }
      double mean = sum / weight;
      double squares = 0;
      for (int k = 0; k < values.length; k++) {
        double off = weights[k] * (values[k] - mean);
        squares += off * off;
      }
      double half = Z * Math.sqrt(squares) / weight;
      return new Mean(mean, mean - half, mean + half);
    }
  }
}
