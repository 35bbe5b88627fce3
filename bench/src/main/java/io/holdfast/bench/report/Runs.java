package io.holdfast.bench.report;

import java.util.Arrays;

/** Figures of repeated runs. */
public final class Runs {
  private Runs() {}

  /** The middle one; of an even number the upper of the two. */
  public static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The median of the ratios run by run: neighbours in time see the same machine. */
  public static double ratio(double[] values, double[] base) {
    double[] ratios = new double[values.length];
    Arrays.setAll(ratios, run -> values[run] / base[run]);
    return median(ratios);
  }
}
