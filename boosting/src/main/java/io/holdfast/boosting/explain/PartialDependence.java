package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.IndexSort;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How scores depend on one feature or two: the weighted mean over given rows with the features set
 * to each point of a grid (Friedman 2001), in all and by environment. Every row is scored at every
 * point. Immutable.
 *
 * @param features one or two of the model's
 * @param scale what the means are of
 * @param environments those of the rows, in order of first appearance
 * @param points of the grid; of two features, the second runs faster
 */
public record PartialDependence(
    List<Feature> features, Scale scale, List<String> environments, List<Point> points) {

  /** What is averaged. */
  public enum Scale {
    /** The raw scores, as many as the objective has. */
    RAW,
    /** What a user reads: the mean, the probability of 1, or the probability of each class. */
    PREDICTION
  }

  /**
   * One point of the grid.
   *
   * @param at the value of each feature: a number or the code of a category; NaN for missing
   * @param means over all rows, one for each raw score, or one for each predicted number
   * @param byEnvironment the same for the rows of each environment
   */
  public record Point(List<Double> at, List<Double> means, List<List<Double>> byEnvironment) {
    public Point {
      at = List.copyOf(at);
      means = List.copyOf(means);
      byEnvironment = List.copyOf(byEnvironment);
    }
  }

  public PartialDependence {
    features = List.copyOf(features);
    environments = List.copyOf(environments);
    points = List.copyOf(points);
  }

  /**
   * The dependence on the features in one or two columns, over a {@link Grid} of each.
   *
   * @param gridPoints of a feature at most, missing not counted; 2 or more
   */
  public static PartialDependence of(
      Model model, Rows rows, List<Integer> columns, int gridPoints, Scale scale) {
    int width = model.features().size();
    Check.that(rows.size() >= 1, "there must be at least 1 row to average over: %s", rows.size());
    Check.that(rows.width() == width, "rows must have %s features: %s", width, rows.width());
    Check.that(
        columns.size() == 1 || (columns.size() == 2 && !columns.get(0).equals(columns.get(1))),
        "partial dependence must be on one feature or two different ones: %s",
        columns);
    List<Feature> features = new ArrayList<>();
    List<double[]> grids = new ArrayList<>();
    for (int column : columns) {
      Check.that(
          column >= 0 && column < width,
          "the column of a feature must be 0 to %s: %s",
          width - 1,
          column);
      features.add(model.features().get(column));
      grids.add(Grid.of(model.features().get(column), column, rows, gridPoints));
    }
    var means = new Means(model, rows, scale);
    List<Point> points = new ArrayList<>();
    for (double first : grids.getFirst()) {
      if (columns.size() == 1) {
        points.add(means.at(columns, first));
        continue;
      }
      for (double second : grids.getLast()) {
        points.add(means.at(columns, first, second));
      }
    }
    return new PartialDependence(features, scale, rows.environments(), points);
  }

  /** Averages at one point after the other. Owned by one thread. */
  private static final class Means {
    private final Rows rows;
    private final Scale scale;
    private final Objective objective;
    private final Scorer scorer;
    private final double[] features;
    private final double[] scores;
    private final double[] read; // of one row: its raw scores, or what a user reads
    private final double[] weights; // by environment

    Means(Model model, Rows rows, Scale scale) {
      this.rows = rows;
      this.scale = scale;
      objective = model.objective();
      scorer = Scorer.of(model);
      features = new double[model.features().size()];
      scores = new double[scorer.outputs()];
      boolean classes = scale == Scale.PREDICTION && objective.classes() > 2;
      read = new double[scale == Scale.RAW ? scores.length : classes ? objective.classes() : 1];
      weights = new double[rows.environments().size()];
      for (int row = 0; row < rows.size(); row++) {
        weights[rows.environment(row)] += rows.weight(row);
      }
    }

    Point at(List<Integer> columns, double... values) {
      double[][] sums = new double[weights.length][read.length];
      for (int row = 0; row < rows.size(); row++) {
        rows.copyFeatures(row, features);
        for (int k = 0; k < values.length; k++) {
          features[columns.get(k)] = values[k];
        }
        scorer.score(features, scores);
        read();
        double[] sum = sums[rows.environment(row)];
        for (int k = 0; k < read.length; k++) {
          sum[k] += rows.weight(row) * read[k];
        }
      }
      double[] total = new double[read.length];
      double weight = 0;
      List<List<Double>> byEnvironment = new ArrayList<>();
      for (int environment = 0; environment < weights.length; environment++) {
        for (int k = 0; k < total.length; k++) {
          total[k] += sums[environment][k];
        }
        weight += weights[environment];
        byEnvironment.add(divided(sums[environment], weights[environment]));
      }
      return new Point(divided(values, 1), divided(total, weight), byEnvironment);
    }

    private void read() {
      if (scale == Scale.RAW) {
        System.arraycopy(scores, 0, read, 0, read.length);
      } else if (read.length > 1) {
        objective.probabilities(scores, read);
      } else {
        read[0] = objective.prediction(scores);
      }
    }

    private static List<Double> divided(double[] sums, double weight) {
      return Arrays.stream(sums).map(sum -> sum / weight).boxed().toList();
    }
  }

  /** The values of a feature that a curve is drawn at. Stateless. */
  static final class Grid {
    private Grid() {}

    /**
     * At most {@code most} points of one feature, ascending, then NaN if a row lacks the value: its
     * finite values, or weighted quantiles if they are too many; of a categorical feature its
     * codes, or those of most weight.
     */
    static double[] of(Feature feature, int column, Rows rows, int most) {
      Check.that(most >= 2, "a grid must have at least 2 points a feature: %s", most);
      double[] values = new double[rows.size()];
      rows.copyColumn(column, values);
      boolean categorical = feature instanceof Feature.Categorical;
      int[] order = new int[values.length];
      int present = 0;
      boolean missing = false;
      for (int row = 0; row < values.length; row++) {
        if (Double.isNaN(values[row]) || (categorical && !code(values[row]))) {
          missing = true;
        } else if (Double.isFinite(values[row])) {
          order[present++] = row;
        }
      }
      IndexSort.ascending(order, present, values, new int[present]);
      double[] levels = new double[present];
      double[] mass = new double[present];
      int distinct = 0;
      for (int k = 0; k < present; k++) {
        double value = values[order[k]] + 0.0; // −0 is 0
        if (distinct == 0 || value != levels[distinct - 1]) {
          levels[distinct++] = value;
        }
        mass[distinct - 1] += rows.weight(order[k]);
      }
      levels = Arrays.copyOf(levels, distinct);
      if (distinct > most) {
        levels = categorical ? heaviest(levels, mass, most) : quantiles(levels, mass, most);
      }
      if (missing || levels.length == 0) {
        levels = Arrays.copyOf(levels, levels.length + 1);
        levels[levels.length - 1] = Double.NaN;
      }
      return levels;
    }

    private static boolean code(double value) {
      return value >= 0 && value == (int) value;
    }

    private static double[] heaviest(double[] levels, double[] mass, int most) {
      return IntStream.range(0, levels.length)
          .boxed()
          .sorted(Comparator.comparingDouble(level -> -mass[level])) // stable
          .limit(most)
          .mapToDouble(level -> levels[level])
          .sorted()
          .toArray();
    }

    /** The level at which each k/(most − 1) of the weight is reached; each level once. */
    private static double[] quantiles(double[] levels, double[] mass, int most) {
      double total = 0;
      for (int level = 0; level < levels.length; level++) {
        total += mass[level];
      }
      double[] kept = new double[most];
      int made = 0;
      kept[made++] = levels[0];
      int level = 0;
      double reached = mass[0];
      for (int k = 1; k < most; k++) {
        while (level < levels.length - 1 && (k == most - 1 || reached < total * k / (most - 1))) {
          reached += mass[++level];
        }
        if (levels[level] != kept[made - 1]) {
          kept[made++] = levels[level];
        }
      }
      return Arrays.copyOf(kept, made);
    }
  }
}
