package io.holdfast.trainer.policy;

import io.holdfast.schemas.version.Figures;
import java.util.Map;

/**
 * How often an ensemble is trained afresh: less and less often, as long as that costs nothing.
 * Owned by one thread.
 */
final class Pace {
  /*
   * The losses of rows that came in the first half of the time between two trainings are held
   * against those of the second half. What it has lost of its worth by then, times what it counts
   * with, is what training it twice as often could gain: while that is next to nothing the time
   * doubles, and else it halves. After a rise of the loss it is trained at every turn until its
   * memory is all of the rows since, which halves that were before cannot tell.
   */
  /** Turns between two trainings at most: none is ever older than its memory. */
  static final int SLOWEST = 4;

  /** In units of the log of a probability, a row. */
  private static final double TOLERANCE = 0.005;

  private static final double FADE = StrictMath.pow(0.5, 1.0 / 1_000);
  private static final double FEWEST_ROWS = 20;

  /** Turns between two trainings. */
  private int turns = 1;

  private final String turnsKey;
  private final Half young;
  private final Half old;

  /** Losses of rows, fading. */
  private static final class Half {
    private final String lossKey;
    private final String rowsKey;
    private double loss;
    private double rows;

    private Half(String key) {
      lossKey = key + ".loss";
      rowsKey = key + ".rows";
    }

    private void fade() {
      loss *= FADE;
      rows *= FADE;
    }

    private double mean() {
      return loss / rows;
    }

    private void read(Map<String, Double> metrics) {
      loss = metrics.getOrDefault(lossKey, 0.0);
      rows = metrics.getOrDefault(rowsKey, 0.0);
    }

    private void write(Figures.Builder metrics) {
      metrics.put(lossKey, loss);
      metrics.put(rowsKey, rows);
    }
  }

  /** A pace that is remembered under names that begin with {@code prefix}. */
  Pace(String prefix) {
    turnsKey = prefix + "turns";
    young = new Half(prefix + "young");
    old = new Half(prefix + "old");
  }

  void read(Map<String, Double> metrics) {
    turns = metrics.getOrDefault(turnsKey, 1.0).intValue();
    young.read(metrics);
    old.read(metrics);
  }

  void write(Figures.Builder metrics) {
    metrics.put(turnsKey, turns);
    young.write(metrics);
    old.write(metrics);
  }

  /** How many of its turns come between two trainings. */
  int turns() {
    return turns;
  }

  /**
   * Takes the loss of a row.
   *
   * @param age how many rows came since the training
   * @param every the rows of a turn
   */
  void lost(double loss, long age, int every) {
    young.fade();
    old.fade();
    Half half = 2 * age < (long) turns * every ? young : old;
    half.loss += FadingLoss.bounded(loss);
    half.rows++;
  }

  /** After a training: how long it is until the next one. */
  void trained(double weight) {
    if (young.rows >= FEWEST_ROWS && old.rows >= FEWEST_ROWS) {
      double gain = weight * (old.mean() - young.mean());
      turns = gain > TOLERANCE ? Math.max(1, turns / 2) : Math.min(SLOWEST, 2 * turns);
    }
  }

  /** Begins anew at every turn. */
  void hurry() {
    turns = 1;
    young.loss = 0;
    young.rows = 0;
    old.loss = 0;
    old.rows = 0;
  }

  /** Divides losses by something else from now on. */
  void rescale(double factor) {
    young.loss *= factor;
    old.loss *= factor;
  }
}
