package io.holdfast.trainer.expect;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.trainer.evaluate.VersionObjectives;
import io.holdfast.trainer.reason.DensityRatio;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The metrics of a window to expect from its served scores alone. Owned by the training thread. */
public final class Expectation {
  /*
   * The one part of a report that rests on more than the window, the replay buffer and the tip: how
   * far scores were off on the newest rows as they came, or after a restart on the newest remembered
   * ones. No version depends on it.
   *
   * Past rows count by how frequent rows like them are now (as in Bialek et al., "Estimating model
   * performance under covariate shift without labels", arXiv 2401.08348). Rows are decoded after
   * training, so that no category gets another code by it.
   */
  /** How many of the newest rows tell how far scores are off. */
  static final int ROWS = 1_000;

  /** How many are remembered, to try the same on them. */
  public static final int REMEMBERED = 4_000;

  private static final int FEWEST = 100; // of a window, to tell how its rows are distributed

  private final ArrayDeque<PastRow> past = new ArrayDeque<>();

  /** By the labels of the windows before; null if nothing can be said. */
  public @Nullable ExpectedReport of(
      WindowRows rows, VersionObjectives.ServedScores served, long seed) {
    List<LabelledRow> window = rows.arrived();
    Expected expected = new Expected(window.size());
    for (int row = 0; row < window.size(); row++) {
      LabelledRow labelled = window.get(row);
      expected.add(served.objectives().get(row), labelled.served().rawScores(), labelled.weight());
    }
    List<PastRow> remembered = List.copyOf(past);
    List<PastRow> newest =
        remembered.subList(Math.max(0, remembered.size() - ROWS), remembered.size());
    double[] ratios = new double[newest.size()];
    Arrays.fill(ratios, 1);
    boolean enough = Math.min(newest.size(), window.size()) >= FEWEST;
    if (enough) {
      ratios = ratios(newest, rows, seed);
    }
    Calibration calibration = PastRow.calibration(newest, ratios);
    SortedMap<String, Double> figures = expected.figures(calibration);
    if (figures.isEmpty()) {
      return null;
    }
    Trials trials = enough ? Trials.of(remembered, window.size()) : Trials.NONE;
    SortedMap<String, Double> low = new TreeMap<>();
    SortedMap<String, Double> high = new TreeMap<>();
    expected
        .ranges(calibration)
        .forEach(
            (name, range) -> {
              double figure = figures.getOrDefault(name, Double.NaN);
              double times = trials.widening(name);
              low.put(name, Math.max(0, figure - times * (figure - range.low())));
              double up = figure + times * (range.high() - figure);
              high.put(name, name.equals("accuracy") ? Math.min(1, up) : up);
            });
    // A sample that ratios carry over to the other has a mean of 1 of them.
    double carried = Math.min(1, Arrays.stream(ratios).average().orElse(0));
    double like = carried * calibration.effectiveRows();
    boolean silent = low.isEmpty();
    return ExpectedReport.newBuilder()
        .setMetrics(figures)
        .setUncorrected(expected.uncorrected())
        .setLabelledRows(newest.size())
        .setLow(low)
        .setHigh(high)
        .setLikeRows(silent ? null : (Double) like)
        .setDoubt(silent ? null : trials.doubt(like, newest.size()))
        .build();
  }

  private static double[] ratios(List<PastRow> newest, WindowRows rows, long seed) {
    List<LabelledRow> before = newest.stream().map(PastRow::row).toList();
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

  /** Takes labels in, oldest first. */
  public void learn(List<LabelledRow> rows, VersionObjectives objectives, Objective otherwise) {
    for (LabelledRow row : rows.subList(Math.max(0, rows.size() - REMEMBERED), rows.size())) {
      past.addLast(new PastRow(row, objectives.of(row.served().version(), otherwise)));
    }
    while (past.size() > REMEMBERED) {
      past.removeFirst();
    }
  }
}
