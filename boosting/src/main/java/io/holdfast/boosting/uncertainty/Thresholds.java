package io.holdfast.boosting.uncertainty;

import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The errors that labels are promised to stay within, by environment: what a version carries.
 * Immutable.
 *
 * @param levels how often each promise is to be kept, ascending, between 0 and 1
 * @param labels how many they were learned from
 * @param powers a level: errors are in units of the spread to that power, so that 1 has widths in
 *     proportion to it and 0 has one width for all rows
 * @param environments a range a level, by the environment's name
 * @param unseen a range a level for environments without a range: no promise before any label
 */
public record Thresholds(
    List<Double> levels,
    long labels,
    List<Double> powers,
    SortedMap<String, List<Range>> environments,
    List<Range> unseen) {

  /** Errors from {@code low} to {@code high}. */
  public record Range(double low, double high) {
    /** All errors. */
    public static final Range ALL = new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** Whether an error is within. */
    public boolean holds(double error) {
      return error >= low && error <= high;
    }

    Range hull(Range other) {
      return new Range(Math.min(low, other.low), Math.max(high, other.high));
    }
  }

  public Thresholds {
    levels = List.copyOf(levels);
    powers = List.copyOf(powers);
    environments = Collections.unmodifiableSortedMap(new TreeMap<>(environments));
    unseen = List.copyOf(unseen);
    int count = levels.size();
    Check.that(
        powers.size() == count
            && unseen.size() == count
            && environments.values().stream().allMatch(ranges -> ranges.size() == count),
        "there must be a power and a range for each of the levels: %s",
        levels);
    Check.that(!levels.isEmpty(), "there must be at least one level of coverage: %s", levels);
    double last = 0;
    for (double level : levels) {
      Check.that(
          level > last && level < 1,
          "levels of coverage must ascend, above 0 and below 1: %s",
          levels);
      last = level;
    }
  }

  /** Before any label: everything is within. */
  public static Thresholds none(List<Double> levels) {
    return new Thresholds(
        levels,
        0,
        levels.stream().map(level -> 1.0).toList(),
        new TreeMap<>(),
        levels.stream().map(level -> Range.ALL).toList());
  }

  /** Whether the environment has ranges of its own. */
  public boolean knows(String environment) {
    return environments.containsKey(environment);
  }

  /**
   * The least and the greatest label that are promised, for a prediction and its spread; in an
   * unknown environment by the most cautious of the known. A higher level holds all that a lower
   * one does.
   */
  public Range bounds(String environment, int level, double prediction, double spread) {
    if (labels == 0) {
      return Range.ALL;
    }
    List<Range> ranges = environments.getOrDefault(environment, unseen);
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int k = 0; k <= level; k++) {
      double unit = StrictMath.pow(spread, powers.get(k));
      low = Math.min(low, ranges.get(k).low * unit);
      high = Math.max(high, ranges.get(k).high * unit);
    }
    return new Range(prediction + low, prediction + high);
  }

  /**
   * Writes the least and the greatest error that are promised of a row, by level, as {@link
   * #bounds} has them. Allocates nothing.
   *
   * @param environment null if the row does not say
   */
  void errors(@Nullable String environment, double spread, double[] low, double[] high) {
    List<Range> ranges =
        environment == null ? unseen : environments.getOrDefault(environment, unseen);
    for (int k = 0; k < low.length; k++) {
      double power = powers.get(k);
      double unit = power == 1 ? spread : power == 0 ? 1 : StrictMath.pow(spread, power);
      Range range = ranges.get(k);
      low[k] = k == 0 ? range.low * unit : Math.min(low[k - 1], range.low * unit);
      high[k] = k == 0 ? range.high * unit : Math.max(high[k - 1], range.high * unit);
    }
  }

  /** The classes that are promised, ascending; there may be none. */
  public List<Integer> classes(String environment, int level, double[] probabilities) {
    Range errors = bounds(environment, level, 0, 1);
    List<Integer> classes = new ArrayList<>();
    for (int k = 0; k < probabilities.length; k++) {
      if (errors.holds(classError(probabilities[k]))) {
        classes.add(k);
      }
    }
    return classes;
  }

  /** The error of a label's class that had this probability: 0 if it was certain. */
  public static double classError(double probability) {
    return -StrictMath.log(Math.max(probability, Double.MIN_NORMAL));
  }
}
