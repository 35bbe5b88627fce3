package io.holdfast.trainer.policy;

import io.holdfast.boosting.objective.Derivatives;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;
import io.holdfast.boosting.objective.Softmax;
import java.util.Arrays;

/**
 * Shifts of the base that follow the newest labels, one for each of several half-lives. Where
 * labels are autocorrelated the shortest half-life does best, and elsewhere no shift at all. Owned
 * by one thread.
 */
final class BiasTracker {
  /*
   * Each shift takes a Newton step a row on its own loss, with a curvature that sums up and fades by
   * the half-life, and is drawn back to 0 a little slower. The shift that serves is their mean,
   * weighted by fading losses as experts are.
   */
  /** In rows; the first never moves. */
  static final int[] HALF_LIVES = {0, 50, 10, 3};

  private static final double DRAWN_BACK = 0.3;

  /** Fading factors a row, of curvatures and of shifts. */
  private static final double[] CURVATURE_FADES = new double[HALF_LIVES.length];

  private static final double[] SHIFT_FADES = new double[HALF_LIVES.length];

  static {
    for (int rate = 1; rate < HALF_LIVES.length; rate++) {
      CURVATURE_FADES[rate] = StrictMath.pow(0.5, 1.0 / HALF_LIVES[rate]);
      SHIFT_FADES[rate] = StrictMath.pow(CURVATURE_FADES[rate], DRAWN_BACK);
    }
  }

  /** The first so many half-lives need no small windows. */
  private static final int SLOW_RATES = 2;

  private static final double TRUST = 1;

  /**
   * What every shift that moves is held to have lost more, of classes: where nothing is to be
   * followed, one that moves by noise has lost hardly more than none. Numbers mostly go on from one
   * another, and are followed at once.
   */
  private static final double UNMOVED = 2;

  private static final double RIDGE = 0.5;
  private static final double LARGEST = 20;
  private static final double SAVED_FADE = StrictMath.pow(0.5, 1.0 / 500);

  private final int outputs;
  private final double unmoved;
  private final double[][] shifts;
  private final double[][] curvatures;
  private final double[] losses = new double[HALF_LIVES.length];
  private double lost; // fading sum over rows, by the slow rates alone
  private double saved; // of that, by the short half-lives
  private double late; // fading maximum of the label delay in rows
  private final double[] first;
  private final double[] second;
  private final double[] scores;
  private final Derivatives derivatives = new Derivatives(false);
  private final String[] lossKeys = new String[HALF_LIVES.length];
  private final String[][] shiftKeys;
  private final String[][] curvatureKeys;
  private final String lostKey;
  private final String savedKey;
  private final String lateKey;

  BiasTracker(Objective objective, String keyPrefix) {
    outputs = objective.outputs();
    unmoved = objective.classes() > 0 ? UNMOVED : 0;
    shifts = new double[HALF_LIVES.length][outputs];
    curvatures = new double[HALF_LIVES.length][outputs];
    first = new double[outputs];
    second = new double[outputs];
    scores = new double[outputs];
    shiftKeys = new String[HALF_LIVES.length][outputs];
    curvatureKeys = new String[HALF_LIVES.length][outputs];
    for (int rate = 0; rate < HALF_LIVES.length; rate++) {
      String key = keyPrefix + "shift" + HALF_LIVES[rate] + ".";
      lossKeys[rate] = key + "loss";
      Arrays.setAll(shiftKeys[rate], k -> key + k);
      Arrays.setAll(curvatureKeys[rate], k -> key + "curvature" + k);
    }
    lostKey = keyPrefix + "shift.lost";
    savedKey = keyPrefix + "shift.saved";
    lateKey = keyPrefix + "shift.late";
  }

  void exchange(StateFields fields) {
    for (int rate = 0; rate < HALF_LIVES.length; rate++) {
      losses[rate] = fields.exchange(lossKeys[rate], losses[rate]);
      for (int k = 0; k < outputs && rate > 0; k++) {
        shifts[rate][k] = fields.exchange(shiftKeys[rate][k], shifts[rate][k]);
        curvatures[rate][k] = fields.exchange(curvatureKeys[rate][k], curvatures[rate][k]);
      }
    }
    lost = fields.exchange(lostKey, lost);
    saved = fields.exchange(savedKey, saved);
    late = fields.exchange(lateKey, late);
  }

  /** Multiplies all losses by {@code factor}. */
  void rescale(double factor) {
    for (int rate = 0; rate < losses.length; rate++) {
      losses[rate] *= factor;
    }
    lost *= factor;
    saved *= factor;
  }

  /** Has all that move begin with a loss: they show first that they do better than none. */
  void prove(double proof) {
    Arrays.fill(losses, 1, losses.length, proof);
  }

  /** The shift that serves: one number an output. */
  double[] shift() {
    return mean(losses.length);
  }

  /** Of the first so many rates, weighted by their losses. */
  private double[] mean(int rates) {
    double[] lost = new double[rates];
    Arrays.setAll(lost, rate -> losses[rate] + (rate > 0 ? unmoved : 0));
    double[] weights = FadingLoss.weights(lost, TRUST);
    double[] mean = new double[outputs];
    for (int rate = 1; rate < weights.length; rate++) {
      for (int k = 0; k < outputs; k++) {
        mean[k] += weights[rate] * shifts[rate][k];
      }
    }
    return mean;
  }

  /** The share of the loss that the short half-lives saved of late; below 0 if they did harm. */
  double saved() {
    return lost > 0 ? saved / lost : 0;
  }

  /**
   * Judges all rates on rows that neither they nor the trees have learned from, then moves them
   * along these, {@code rows} at a time: as in windows of that size.
   *
   * @param scores raw scores without any shift, row by row
   * @param lag label delay in rows
   */
  void judgeAndFollow(
      Objective objective, double[] labels, double[] scores, int rows, double scale, double lag) {
    for (int from = 0; from < labels.length; from += rows) {
      int to = Math.min(labels.length, from + rows);
      double[] someLabels = Arrays.copyOfRange(labels, from, to);
      double[] someScores = Arrays.copyOfRange(scores, from * outputs, to * outputs);
      judge(objective, someLabels, someScores, scale, lag);
      for (int row = 0; row < someLabels.length; row++) {
        for (int rate = 1; rate < HALF_LIVES.length; rate++) {
          step(objective, someLabels[row], someScores, row, rate);
        }
      }
    }
  }

  private void judge(
      Objective objective, double[] labels, double[] scores, double scale, double lag) {
    double[] all = shift();
    double[] slow = mean(SLOW_RATES);
    for (int row = 0; row < labels.length; row++) {
      double without = FadingLoss.bounded(loss(objective, labels[row], scores, row, slow) / scale);
      double with = FadingLoss.bounded(loss(objective, labels[row], scores, row, all) / scale);
      lost = SAVED_FADE * lost + without;
      saved = SAVED_FADE * saved + without - with;
      for (int rate = 0; rate < HALF_LIVES.length; rate++) {
        double loss = loss(objective, labels[row], scores, row, shifts[rate]);
        losses[rate] = FadingLoss.next(losses[rate], FadingLoss.FADE, loss, scale);
      }
    }
    // Half-lives shorter than the delay are of no use. Large windows cannot see a short delay.
    late = Math.max(lag, late * StrictMath.pow(SAVED_FADE, labels.length));
    for (int rate = 1; rate < HALF_LIVES.length; rate++) {
      if (2 * late > HALF_LIVES[rate]) {
        losses[rate] = losses[0] + FadingLoss.HOPELESS;
      }
    }
    if (!mayHelp(late)) {
      saved = 0;
    }
  }

  /** Whether any short half-life is of use at this label delay in rows. */
  static boolean mayHelp(double lag) {
    return 2 * lag <= HALF_LIVES[SLOW_RATES];
  }

  private double loss(Objective objective, double label, double[] all, int row, double[] shift) {
    shift(all, row, shift);
    return objective.excessLoss(label, scores);
  }

  private void shift(double[] all, int row, double[] shift) {
    for (int k = 0; k < outputs; k++) {
      scores[k] = all[row * outputs + k] + shift[k];
    }
  }

  private void step(Objective objective, double label, double[] all, int row, int rate) {
    shift(all, row, shifts[rate]);
    double ridge = RIDGE;
    switch (objective) {
      case Softmax softmax -> {
        softmax.probabilities(scores, second);
        for (int k = 0; k < outputs; k++) {
          first[k] = second[k] - (label == k ? 1 : 0);
          second[k] *= 1 - second[k];
        }
      }
      case ScalarObjective scalar when scalar.leafQuantile().isEmpty() -> {
        scalar.derivatives(label, scores[0], derivatives);
        first[0] = derivatives.first;
        second[0] = derivatives.growth;
        if (scalar.classes() == 0) {
          ridge = RIDGE * Math.max(second[0], Double.MIN_NORMAL);
        }
      }
      default -> {
        return; // a loss without curvature: its trees follow
      }
    }
    for (int k = 0; k < outputs; k++) {
      double curvature = CURVATURE_FADES[rate] * curvatures[rate][k] + second[k];
      double moved = SHIFT_FADES[rate] * (shifts[rate][k] - first[k] / (curvature + ridge));
      if (Double.isFinite(curvature) && Double.isFinite(moved)) {
        curvatures[rate][k] = curvature;
        shifts[rate][k] = objective.classes() > 0 ? Math.clamp(moved, -LARGEST, LARGEST) : moved;
      }
    }
  }
}
