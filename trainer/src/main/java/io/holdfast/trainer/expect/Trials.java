package io.holdfast.trainer.expect;

import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What came of expecting, on stretches of rows whose labels have come, each by the rows before it.
 * Immutable.
 */
record Trials(List<Trial> trials) {
  static final Trials NONE = new Trials(List.of());

  private static final int MOST = 20;
  private static final int ENOUGH = 10;
  private static final int SHORTEST = 100;
  private static final double WIDEST = 20; // times the sampling error: one stretch is not all
  private static final double UNLIKE = 0.06; // of the past rows

  Trials {
    trials = List.copyOf(trials);
  }

  /**
   * By the first figure, how far off the expected one was and that of the stretch before; and by
   * each figure how many times as far as its range goes.
   */
  private record Trial(double off, double lastOff, SortedMap<String, Double> beyond) {}

  /** On rows, oldest first, in stretches of a window's length or as there are enough of. */
  static Trials of(List<PastRow> rows, int window) {
    int length =
        Math.clamp((rows.size() - Expectation.ROWS) / MOST, SHORTEST, Math.max(SHORTEST, window));
    int count = Math.min(MOST + 1, (rows.size() - SHORTEST) / length);
    List<Trial> trials = new ArrayList<>();
    double cameLast = Double.NaN;
    for (int stretch = count; stretch > 0; stretch--) {
      int from = rows.size() - stretch * length;
      List<PastRow> now = rows.subList(from, from + length);
      Calibration before = equal(rows.subList(Math.max(0, from - Expectation.ROWS), from));
      Expected expected = PastRow.expected(now);
      SortedMap<String, Double> figures = expected.figures(before);
      SortedMap<String, Double> came = expected.figures(equal(now)); // corrected by its own labels
      String first = figures.containsKey("accuracy") ? "accuracy" : "rmse";
      double firstCame = came.getOrDefault(first, Double.NaN);
      double off = Math.abs(figures.getOrDefault(first, Double.NaN) - firstCame);
      double lastOff = Math.abs(firstCame - cameLast);
      cameLast = firstCame;
      if (Double.isFinite(off) && Double.isFinite(lastOff)) {
        trials.add(new Trial(off, lastOff, beyond(figures, expected.ranges(before), came)));
      }
    }
    return new Trials(trials);
  }

  private static Calibration equal(List<PastRow> rows) {
    double[] ratios = new double[rows.size()];
    Arrays.fill(ratios, 1);
    return PastRow.calibration(rows, ratios);
  }

  private static SortedMap<String, Double> beyond(
      SortedMap<String, Double> figures,
      SortedMap<String, Expected.Range> ranges,
      SortedMap<String, Double> came) {
    SortedMap<String, Double> beyond = new TreeMap<>();
    ranges.forEach(
        (name, range) -> {
          double figure = figures.getOrDefault(name, Double.NaN);
          double found = came.getOrDefault(name, Double.NaN);
          double reach = found > figure ? range.high() - figure : figure - range.low();
          double times = found == figure ? 0 : Math.abs(found - figure) / reach;
          beyond.put(name, Math.min(WIDEST, times));
        });
    return beyond;
  }

  /** The greatest of the last errors is within: of 20, one in 21 to come is beyond. */
  double widening(String name) {
    double most = 1;
    for (Trial trial : trials) {
      double times = trial.beyond.getOrDefault(name, 0.0);
      most = times > most ? times : most; // not if it is NaN
    }
    return most;
  }

  /** Why an estimate by rows, of which so many are like the window's, is worth little, if it is. */
  @Nullable String doubt(double like, int rows) {
    if (like < UNLIKE * rows) {
      return Sentence.of(
          "Hardly any row with a label is like the newest ones: they count as much as %.0f of %d.",
          like, rows);
    }
    double off = mean(Trial::off);
    double lastOff = mean(Trial::lastOff);
    return trials.size() < ENOUGH || off <= lastOff
        ? null
        : Sentence.of(
            "In the last %d stretches of rows it was off by %.3g, the figure of the stretch before"
                + " by %.3g: labels no longer depend on features as they did.",
            trials.size(), off, lastOff);
  }

  private double mean(ToDoubleFunction<Trial> figure) {
    return trials.stream().mapToDouble(figure).average().orElse(0);
  }
}
