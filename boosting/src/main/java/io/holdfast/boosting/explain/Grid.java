package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.IndexSort;
import java.util.Arrays;

/** The values of a feature that a curve is drawn at. Stateless. */
final class Grid {
  private Grid() {}

  /**
   * The points of one feature, as the rows have it: ascending, and NaN at the end if a row lacks
   * the value.
   *
   * <p>Of a numeric feature, all finite values if they are few, else weighted quantiles from the
   * least to the greatest; of a categorical one, the codes that occur, if they are too many those
   * of most weight.
   *
   * @param most points, missing not counted; 2 or more
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
    int[] order = new int[levels.length];
    double[] lightness = new double[levels.length];
    for (int level = 0; level < levels.length; level++) {
      order[level] = level;
      lightness[level] = -mass[level];
    }
    IndexSort.ascending(order, order.length, lightness, new int[order.length]);
    double[] kept = new double[most];
    for (int k = 0; k < most; k++) {
      kept[k] = levels[order[k]];
    }
    Arrays.sort(kept);
    return kept;
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
