package io.holdfast.trainer.policy;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Figures;
import io.holdfast.trainer.window.LabelledRow;
import java.util.Map;

/**
 * What closes the window after a version. Immutable.
 *
 * @param fewest rows that close it, once they have lost enough
 * @param most rows that close it whatever they lost
 * @param lost what rows must have lost by what was served for them, in units of the log of a
 *     probability; 0 where the fewest rows close it
 * @param scale losses are divided by it
 */
public record NextWindow(int fewest, int most, double lost, double scale) {
  /*
   * A version of a few rows follows their labels. Where what was served predicted them there is
   * nothing to follow, so rows are gathered until their labels are news. That saves half of the
   * versions on electricity and makes better ones: the shift is not moved on by more of the same.
   */
  /** Rows of a window while following the newest labels does not pay. */
  private static final int CALM_ROWS = 20;

  /** The same at least, where labels are late. */
  private static final int CALM_ROWS_LATE = 100;

  /** The loss of one row whose label was given an even chance. */
  private static final double NEWS = 0.7;

  /** The same for numbers, in units of what a constant loses. */
  private static final double NEWS_OF_NUMBERS = 0.15;

  private static final String ROWS = "auto.windowRows";

  /** As many rows as the settings say, whatever they lost. */
  public static NextWindow of(int rows) {
    return new NextWindow(rows, rows, 0, 1);
  }

  /**
   * What {@link AutoPolicy} remembered.
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
   * Writes what the policy remembers of it.
   *
   * @param pays whether it pays to follow the newest labels
   * @param lag label delay in rows
   */
  static void remember(
      ModelSettings.Window window, boolean pays, double lag, Figures.Builder metrics) {
    int late = Math.min((int) (CALM_ROWS_LATE * Expert.lateness(lag)), window.maxRows());
    metrics.put(ROWS, pays ? window.rows() : Math.max(calm(window), late));
  }

  /**
   * How many rows a label waits for its window's end on average, beyond {@link #CALM_ROWS}: what is
   * known of labels that come at once was found with windows of up to so many.
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
