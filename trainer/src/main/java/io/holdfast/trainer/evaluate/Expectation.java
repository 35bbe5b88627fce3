package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.trainer.reason.DensityRatio;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The metrics of a window to expect from its served scores alone. Owned by the training thread. */
public final class Expectation {
  /*
   * The one part of a report that rests on more than the window, the replay buffer and the tip: how
   * far scores were off on the newest rows as they came, or after a restart on the newest remembered
   * ones, and what came of earlier expectations. No version depends on it.
   *
   * Past rows count equally, or by how frequent rows like them are now (as in Bialek et al.,
   * "Estimating model performance under covariate shift without labels", arXiv 2401.08348): as was
   * the better in the last windows. Rows are decoded after training, so that no category gets
   * another code by it.
   */
  /** How many of the newest rows count. */
  public static final int ROWS = 1_000;

  private static final int FEWEST = 100; // of a window, to tell how its rows are distributed
  private static final int JUDGED = 20; // windows
  private static final int ENOUGH = 10; // of them, to say what the estimate is worth
  private static final double UNLIKE = 0.06; // of the past rows

  private final ArrayDeque<Past> past = new ArrayDeque<>();
  private final ArrayDeque<Judged> judged = new ArrayDeque<>(); // of the newest windows
  private @Nullable Estimates latest; // of the window that was looked at last
  private double cameLast = Double.NaN; // the first figure of the window before

  private record Past(LabelledRow row, Objective objective) {}

  /** What past rows make one expect, and how many of them are like the window's. */
  private record Estimate(
      SortedMap<String, Double> figures,
      SortedMap<String, Expected.Range> ranges,
      double likeRows) {
    /** A sample that {@code ratios} carry over to the other has a mean of 1 of them. */
    static Estimate of(Expected expected, Calibration past, double[] ratios) {
      double carried = Math.min(1, Arrays.stream(ratios).average().orElse(0));
      return new Estimate(
          expected.figures(past), expected.ranges(past), carried * past.effectiveRows());
    }

    /** How many times as far off a figure is as its range goes on that side. */
    double beyond(String name, Expected.Range range, double came) {
      double figure = figures.getOrDefault(name, Double.NaN);
      double reach = came > figure ? range.high() - figure : figure - range.low();
      return came == figure ? 0 : Math.abs(came - figure) / Math.max(reach, Double.MIN_NORMAL);
    }

    double off(String name, double came) {
      return Math.abs(figures.getOrDefault(name, Double.NaN) - came);
    }
  }

  private record Estimates(long window, Estimate equal, Estimate alike, boolean alikeChosen) {
    Estimate chosen() {
      return alikeChosen ? alike : equal;
    }
  }

  /**
   * How far off, by the first figure, both were, the chosen one, and the figure of the window
   * before; and the chosen one by each figure, in its ranges.
   */
  private record Judged(
      double equalOff,
      double alikeOff,
      double chosenOff,
      double lastOff,
      SortedMap<String, Double> beyond) {}

  /** By the labels of the windows before; null if nothing can be said. */
  public @Nullable ExpectedReport of(
      long number, WindowRows rows, VersionObjectives.ServedScores served, long seed) {
    List<LabelledRow> window = rows.arrived();
    Expected expected = new Expected(window.size());
    for (int row = 0; row < window.size(); row++) {
      LabelledRow labelled = window.get(row);
      expected.add(served.objectives().get(row), labelled.served().rawScores(), labelled.weight());
    }
    double[] ratios = new double[past.size()];
    Arrays.fill(ratios, 1);
    Estimate equal = Estimate.of(expected, calibration(ratios), ratios);
    if (equal.figures.isEmpty()) {
      return null;
    }
    Estimate alike = equal;
    if (Math.min(past.size(), window.size()) >= FEWEST && !equal.ranges.isEmpty()) {
      double[] odds = ratios(rows, seed);
      alike = Estimate.of(expected, calibration(odds), odds);
    }
    Estimates both =
        new Estimates(number, equal, alike, !alike.ranges.isEmpty() && alikeIsBetter());
    latest = both;
    return report(both, expected.uncorrected());
  }

  private ExpectedReport report(Estimates both, SortedMap<String, Double> uncorrected) {
    Estimate chosen = both.chosen();
    SortedMap<String, Double> low = new TreeMap<>();
    SortedMap<String, Double> high = new TreeMap<>();
    chosen.ranges.forEach(
        (name, range) -> {
          double figure = chosen.figures.getOrDefault(name, Double.NaN);
          double times = widening(name);
          low.put(name, Math.max(0, figure - times * (figure - range.low())));
          double up = figure + times * (range.high() - figure);
          high.put(name, name.equals("accuracy") ? Math.min(1, up) : up);
        });
    boolean silent = low.isEmpty();
    return ExpectedReport.newBuilder()
        .setMetrics(chosen.figures)
        .setUncorrected(uncorrected)
        .setLabelledRows(past.size())
        .setLow(low)
        .setHigh(high)
        .setLikeRows(silent ? null : (Double) both.alike.likeRows)
        .setDoubt(silent ? null : doubt(both.alike.likeRows))
        .build();
  }

  private Calibration calibration(double[] ratios) {
    Calibration calibration = new Calibration(ROWS);
    int at = 0;
    for (Past one : past) {
      LabelledRow row = one.row;
      calibration.add(
          one.objective, row.label(), row.served().rawScores(), row.weight() * ratios[at++]);
    }
    return calibration;
  }

  private double[] ratios(WindowRows rows, long seed) {
    List<LabelledRow> before = past.stream().map(Past::row).toList();
    List<LabelledRow> now = spaced(rows.arrived());
    Rows older = rows.decoded(before);
    Rows newer = rows.decoded(now);
    List<String> environments =
        Stream.concat(before.stream(), now.stream()).map(LabelledRow::environment).toList();
    return DensityRatio.of(rows.features(), older, newer, environments, seed);
  }

  private static List<LabelledRow> spaced(List<LabelledRow> rows) {
    return rows.size() <= ROWS
        ? rows
        : IntStream.range(0, ROWS)
            .mapToObj(k -> rows.get((int) ((long) k * rows.size() / ROWS)))
            .toList();
  }

  private boolean alikeIsBetter() {
    return mean(Judged::alikeOff) <= mean(Judged::equalOff);
  }

  /** The greatest of the last errors is within: of 20, one in 21 to come is beyond. */
  private double widening(String name) {
    return judged.stream()
        .mapToDouble(one -> one.beyond.getOrDefault(name, 0.0))
        .filter(Double::isFinite)
        .max()
        .stream()
        .map(most -> Math.max(1, most))
        .findFirst()
        .orElse(1);
  }

  private @Nullable String doubt(double likeRows) {
    if (likeRows < UNLIKE * past.size()) {
      return Sentence.of(
          "Hardly any row with a label is like the newest ones: they count as much as %.0f of %d.",
          likeRows, past.size());
    }
    double off = mean(Judged::chosenOff);
    double lastOff = mean(Judged::lastOff);
    return judged.size() < ENOUGH || off <= lastOff
        ? null
        : Sentence.of(
            "In the last %d windows it was off by %.3g, the figure of the window before by %.3g:"
                + " labels no longer depend on features as they did.",
            judged.size(), off, lastOff);
  }

  private double mean(ToDoubleFunction<Judged> figure) {
    return judged.stream().mapToDouble(figure).average().orElse(0);
  }

  /** Takes in what came of what was expected of a window. */
  public void judge(WindowReport report) {
    Estimates both = latest;
    if (both == null || both.window != report.getWindow() || both.chosen().ranges.isEmpty()) {
      return;
    }
    String first = both.equal.figures.containsKey("accuracy") ? "accuracy" : "rmse";
    Double came = report.getMetrics().get(first);
    if (came == null || !Double.isFinite(came)) {
      return;
    }
    double lastOff = Math.abs(came - cameLast);
    cameLast = came;
    if (Double.isNaN(lastOff)) {
      return;
    }
    SortedMap<String, Double> beyond = new TreeMap<>();
    both.chosen()
        .ranges
        .forEach(
            (name, range) -> {
              double figure = report.getMetrics().getOrDefault(name, Double.NaN);
              beyond.put(name, both.chosen().beyond(name, range, figure));
            });
    judged.addLast(
        new Judged(
            both.equal.off(first, came),
            both.alike.off(first, came),
            both.chosen().off(first, came),
            lastOff,
            beyond));
    if (judged.size() > JUDGED) {
      judged.removeFirst();
    }
  }

  /** Takes labels in, oldest first. */
  public void learn(List<LabelledRow> rows, VersionObjectives objectives, Objective otherwise) {
    for (LabelledRow row : rows.subList(Math.max(0, rows.size() - ROWS), rows.size())) {
      past.addLast(new Past(row, objectives.of(row.served().version(), otherwise)));
    }
    while (past.size() > ROWS) {
      past.removeFirst();
    }
  }
}
