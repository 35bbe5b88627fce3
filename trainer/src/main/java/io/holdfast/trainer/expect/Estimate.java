package io.holdfast.trainer.expect;

import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import java.util.Arrays;
import java.util.SortedMap;

/**
 * What past rows make one expect of a window. Immutable.
 *
 * @param likeRows how many rows they count as, by how many of them are like the window's
 */
record Estimate(
    SortedMap<String, Double> figures, SortedMap<String, Expected.Range> ranges, double likeRows) {
  /** A sample that {@code ratios} carry over to the other has a mean of 1 of them. */
  static Estimate of(Expected expected, Calibration past, double[] ratios) {
    double carried = Math.min(1, Arrays.stream(ratios).average().orElse(0));
    return new Estimate(
        expected.figures(past), expected.ranges(past), carried * past.effectiveRows());
  }

  double off(String name, double came) {
    return Math.abs(figure(name) - came);
  }

  /** How many times as far off a figure is as its range goes on that side. */
  double beyond(String name, double came) {
    double figure = figure(name);
    Expected.Range range = ranges.get(name);
    if (range == null || came == figure) {
      return 0;
    }
    double reach = came > figure ? range.high() - figure : figure - range.low();
    return off(name, came) / reach;
  }

  /** A range so many times as far. */
  Expected.Range widened(String name, Expected.Range range, double times) {
    double figure = figure(name);
    double high = figure + times * (range.high() - figure);
    return new Expected.Range(
        Math.max(0, figure - times * (figure - range.low())),
        name.equals("accuracy") ? Math.min(1, high) : high);
  }

  private double figure(String name) {
    return figures.getOrDefault(name, Double.NaN);
  }
}
