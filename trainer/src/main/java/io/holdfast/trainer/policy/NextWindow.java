package io.holdfast.trainer.policy;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Figures;
import io.holdfast.trainer.window.LabelledRow;
import java.util.Map;

/**
 * What is to make the window after a version. Immutable.
 *
 * @param fewest rows that close it, if what they lost is enough
 * @param most rows that close it whatever they lost
 * @param lost what rows must have lost by what was served for them, in units of the log of a
 *     probability; 0 where the fewest rows close it
 * @param scale what losses are divided by
 */
public record NextWindow(int fewest, int most, double lost, double scale) {
  /*
   * A version of a few rows follows their labels. Where what was served foretold them there is
   * nothing to follow, so rows are gathered until their labels are news, and on electricity half
   * of the versions are saved. They are better, too: a shift that has come to the labels is not
   * drawn on by more of the same.
   */
  /** Rows of a window while there is nothing in following the newest labels. */
  private static final int CALM_ROWS = 20;

  /** The same at least, where labels are late. */
  private static final int CALM_ROWS_LATE = 100;

  /** That of one row whose label was given an even chance. */
  private static final double NEWS = 0.7;

  /** The same where labels are numbers: what rows lose is a small part of what constants lose. */
  private static final double NEWS_OF_NUMBERS = 0.15;

  private static final String ROWS = "auto.windowRows";

  /**
   * As many rows as the settings say, whatever they lost.
   *
   * @param rows of a window
   */
  public static NextWindow of(int rows) {
    return new NextWindow(rows, rows, 0, 1);
  }

  /**
   * As {@link AutoPolicy} left word.
   *
   * @param remembered the metrics of the manifest that the next version grows from
   * @param classes whether labels are classes
   */
  public static NextWindow of(
      ModelSettings.Window window, Map<String, Double> remembered, boolean classes) {
    int rows = remembered.getOrDefault(ROWS, (double) window.rows()).intValue();
    int calm = calm(window);
    return rows < calm
        ? new NextWindow(rows, calm, classes ? NEWS : NEWS_OF_NUMBERS, AutoState.scale(remembered))
        : of(rows);
  }

  /**
   * What the policy remembers of it.
   *
   * @param pays whether it pays to follow the newest labels
   * @param lag how late labels are, in rows
   */
  static void remember(
      ModelSettings.Window window, boolean pays, double lag, Figures.Builder metrics) {
    int late = Math.min((int) (CALM_ROWS_LATE * Expert.lateness(lag)), window.maxRows());
    metrics.put(ROWS, pays ? window.rows() : Math.max(calm(window), late));
  }

  /**
   * How many rows the labels of a window wait for its end in the mean, beyond what they do in a
   * small one: all that is told of labels that come at once was learned by windows of up to {@link
   * #CALM_ROWS}.
   */
  static double wait(int rows) {
    return Math.max(0, rows - CALM_ROWS) / 2.0;
  }

  private static int calm(ModelSettings.Window window) {
    return Math.max(window.rows(), Math.min(CALM_ROWS, window.maxRows()));
  }

  /** What a row lost by what was served for it: a part of {@link #lost}. */
  public double lost(Objective objective, LabelledRow row) {
    return lost == 0
        ? 0
        : FadingLoss.bounded(objective.excessLoss(row.label(), row.served().rawScores()) / scale);
  }
}
