package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.drift.DriftFindings.Shift;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Compares features and labels of a window with a reference, in all and by environment. */
final class Distributions {
  /*
   * Every quantity of every environment is a test, and all are one family: however many there are, and
   * however they depend on each other, false alarms are as rare as asked for. With many rows a
   * difference that is there need not matter, so an alarm must be large, too; what is not counts as
   * without evidence, so that earlier rows are decoded and counted for a few quantities at most.
   *
   * At most MOST_ROWS rows are compared, evenly spaced, so that a large window costs milliseconds.
   * Categories are compared by code: under equal distributions any order will do.
   */
  private static final int MOST_ROWS = 2_000;
  private static final int MOST_ENVIRONMENTS = 20;
  private static final int MOST_REPORTED = 20;
  private static final double LARGEST = 1e300;

  /** Fewer rows of an environment are not compared. */
  static final int LEAST_ROWS = 30;

  private final List<Feature> features;
  private final Rows arrived;
  private final Supplier<Rows> earlier;
  private @Nullable Rows before;
  private final List<Test> tests = new ArrayList<>();

  private record Test(
      String environment, String feature, ShiftStatistics.Distance distance, double p) {}

  private Distributions(List<Feature> features, Rows arrived, Supplier<Rows> earlier) {
    this.features = features;
    this.arrived = arrived;
    this.earlier = earlier;
  }

  /** Adds what is found to {@code target}, the worst first; returns how many tests there were. */
  static int compare(
      List<Feature> features,
      ReferenceCurves reference,
      Rows arrived,
      Supplier<Rows> earlier,
      double falseAlarms,
      List<Shift> target) {
    Distributions all = new Distributions(features, arrived, earlier);
    if (arrived.size() >= LEAST_ROWS && reference.sketches().rows() >= LEAST_ROWS) {
      all.compare(null, reference.pooled(), rows(arrived, null));
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
    double[] p = all.tests.stream().mapToDouble(Test::p).toArray();
    boolean[] believed = ShiftStatistics.believed(p, falseAlarms);
    List<Shift> judged = new ArrayList<>();
    for (int k = 0; k < p.length; k++) {
      Test test = all.tests.get(k);
      judged.add(
          new Shift(test.environment, test.feature, test.distance, p[k], believed[k] && p[k] < 1));
    }
    judged.sort(
        Comparator.comparing((Shift shift) -> !shift.alarm())
            .thenComparing(Comparator.comparingDouble(Shift::stability).reversed()));
    target.addAll(judged.subList(0, Math.min(judged.size(), MOST_REPORTED)));
    return p.length;
  }

  /** Row numbers of one environment, or of all if it is null, evenly spaced. */
  private static int[] rows(Rows rows, @Nullable String environment) {
    int wanted = environment == null ? -1 : rows.environments().indexOf(environment);
    int[] chosen =
        IntStream.range(0, rows.size())
            .filter(row -> environment == null || rows.environment(row) == wanted)
            .toArray();
    return spaced(chosen, chosen.length, MOST_ROWS);
  }

  /** Of the first {@code count} numbers at most {@code most}, evenly spaced. */
  static int[] spaced(int[] numbers, int count, int most) {
    int kept = Math.min(count, most);
    int[] spaced = new int[kept];
    for (int k = 0; k < kept; k++) {
      spaced[k] = numbers[(int) ((long) k * count / kept)];
    }
    return spaced;
  }

  private void compare(
      @Nullable String environment, List<ReferenceDistribution> reference, int[] rows) {
    for (int column = 0; column <= features.size(); column++) {
      int of = column;
      String name = of < features.size() ? features.get(of).name() : "";
      double[] values = sorted(rows, row -> value(arrived, row, of));
      ShiftStatistics.Distance distance = reference.get(of).to(values);
      double p =
          distance.stability() < ShiftStatistics.MOVED
              ? 1
              : 1 / Math.max(1, evidence(environment, of, reference.get(of), values));
      tests.add(new Test(environment == null ? "" : environment, name, distance, p));
    }
  }

  /** Of the values, and of the rows before them as far as the reference does not stand for them. */
  private double evidence(
      @Nullable String environment, int column, ReferenceDistribution reference, double[] values) {
    List<int[]> counts = new ArrayList<>(List.of(reference.counts(values)));
    if (before == null) {
      before = earlier.get();
    }
    Rows rows = before;
    int wanted = environment == null ? -1 : rows.environments().indexOf(environment);
    int end = rows.size();
    for (int stretch = arrived.size(); stretch <= end; stretch *= 2) {
      double[] older =
          IntStream.range(end - stretch, end)
              .filter(row -> environment == null || rows.environment(row) == wanted)
              .mapToDouble(row -> plain(value(rows, row, column)))
              .toArray();
      counts.add(reference.counts(older));
      end -= stretch;
    }
    return ShiftEvidence.of(reference.groups(), counts);
  }

  private static double value(Rows rows, int row, int column) {
    return column < rows.width() ? rows.feature(row, column) : rows.label(row);
  }

  /** Ascending values, missing ones last. */
  static double[] sorted(int[] rows, IntToDoubleFunction value) {
    double[] values = new double[rows.length];
    for (int k = 0; k < values.length; k++) {
      values[k] = plain(value.applyAsDouble(rows[k]));
    }
    Arrays.sort(values);
    return values;
  }

  /** −0 becomes 0; infinite values would have no mean. */
  private static double plain(double value) {
    return Math.clamp(value, -LARGEST, LARGEST) + 0.0;
  }
}
