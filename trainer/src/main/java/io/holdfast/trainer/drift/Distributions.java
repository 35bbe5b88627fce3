package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.drift.DriftFindings.Shift;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** Compares features and labels of a window with a reference, in all and by environment. */
final class Distributions {
  /*
   * Every quantity of every environment is a test, and all of them are one family: of the alarms no
   * more than the given share is false on average, however many features there are. A significant
   * difference need not matter where rows are many, so an alarm must be large besides.
   *
   * Of the window at most MOST_ROWS rows are compared, evenly spaced: a large one costs milliseconds.
   * Categories are compared by their codes, in whatever order: under equal distributions any order
   * is as good, and p is an upper bound.
   */
  private static final int MOST_ROWS = 2_000;
  private static final int MOST_ENVIRONMENTS = 20;
  private static final int MOST_REPORTED = 20;
  private static final double LARGEST = 1e300;

  /** Fewer rows of an environment are not compared. */
  static final int LEAST_ROWS = 30;

  private final List<Feature> features;
  private final Rows arrived;
  private final List<Shift> shifts = new ArrayList<>();

  private Distributions(List<Feature> features, Rows arrived) {
    this.features = features;
    this.arrived = arrived;
  }

  /** Adds what is found to {@code target}, the worst first; returns how many tests there were. */
  static int compare(
      List<Feature> features,
      ReferenceCurves reference,
      Rows arrived,
      double falseAlarms,
      List<Shift> target) {
    Distributions all = new Distributions(features, arrived);
    if (arrived.size() >= LEAST_ROWS && reference.sketches().rows() >= LEAST_ROWS) {
      all.compare("", reference.pooled(), rows(arrived, null));
    }
    List<String> environments = arrived.environments();
    if (environments.size() > 1 || reference.sketches().parts().size() > 1) {
      for (String name :
          environments.subList(0, Math.min(MOST_ENVIRONMENTS, environments.size()))) {
        if (reference.rows(name) >= LEAST_ROWS) {
          int[] rows = rows(arrived, name);
          if (rows.length >= LEAST_ROWS) {
            all.compare(name, reference.of(name), rows);
          }
        }
      }
    }
    double[] p = all.shifts.stream().mapToDouble(Shift::p).toArray();
    boolean[] believed = FalseDiscoveries.believed(p, falseAlarms);
    List<Shift> judged = new ArrayList<>();
    for (int test = 0; test < p.length; test++) {
      Shift shift = all.shifts.get(test);
      judged.add(
          new Shift(
              shift.environment(),
              shift.feature(),
              shift.stability(),
              shift.distance(),
              shift.p(),
              believed[test] && shift.stability() >= StabilityIndex.MOVED));
    }
    judged.sort(
        Comparator.comparing((Shift shift) -> !shift.alarm())
            .thenComparing(Comparator.comparingDouble(Shift::stability).reversed()));
    target.addAll(judged.subList(0, Math.min(judged.size(), MOST_REPORTED)));
    return p.length;
  }

  /** Row numbers, of one environment or of all, at most so many and evenly spaced. */
  private static int[] rows(Rows rows, @org.jspecify.annotations.Nullable String environment) {
    int wanted = environment == null ? -1 : rows.environments().indexOf(environment);
    if (environment != null && wanted < 0) {
      return new int[0];
    }
    int[] chosen = new int[rows.size()];
    int count = 0;
    for (int row = 0; row < chosen.length; row++) {
      if (environment == null || rows.environment(row) == wanted) {
        chosen[count++] = row;
      }
    }
    int kept = Math.min(count, MOST_ROWS);
    int[] spaced = new int[kept];
    for (int k = 0; k < kept; k++) {
      spaced[k] = chosen[(int) ((long) k * count / kept)];
    }
    return spaced;
  }

  private void compare(String environment, List<ReferenceDistribution> reference, int[] rows) {
    for (int column = 0; column < features.size(); column++) {
      int of = column;
      add(
          environment,
          features.get(column).name(),
          reference.get(column).to(sorted(rows, row -> arrived.feature(row, of))));
    }
    add(environment, "", reference.getLast().to(sorted(rows, arrived::label)));
  }

  private void add(String environment, String feature, Kolmogorov.Distance distance) {
    shifts.add(
        new Shift(
            environment, feature, distance.stability(), distance.distance(), distance.p(), false));
  }

  /** Values ascending, those that are missing last. */
  static double[] sorted(int[] rows, IntToDoubleFunction value) {
    double[] values = new double[rows.length];
    for (int k = 0; k < values.length; k++) {
      // −0 is 0, and means of infinite values would be none
      values[k] = Math.clamp(value.applyAsDouble(rows[k]), -LARGEST, LARGEST) + 0.0;
    }
    Arrays.sort(values);
    return values;
  }
}
