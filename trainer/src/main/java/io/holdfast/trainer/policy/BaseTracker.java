package io.holdfast.trainer.policy;

import io.holdfast.boosting.objective.Derivatives;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.schemas.version.Figures;
import java.util.Arrays;
import java.util.Map;

/**
 * Shifts of the base that follow the newest labels, by several half-lives, and how well each of
 * them would have done: in a stream whose labels hang together from row to row the shortest memory
 * wins, and elsewhere none at all. Owned by one thread.
 */
final class BaseTracker {
  /*
   * Each takes a Newton step a row on its own loss, with gradients' curvature summed up and fading
   * by the half-life, and is drawn back to 0 a little slower. What counts is the mean of all by
   * their fading losses, as of experts.
   */
  /** In rows; 0 never moves. */
  static final int[] HALF_LIVES = {0, 50, 10, 3};

  private static final double DRAWN_BACK = 0.3;

  /** What curvatures count with after one more row, and shifts. */
  private static final double[] FADES = new double[HALF_LIVES.length];

  private static final double[] BACKS = new double[HALF_LIVES.length];

  static {
    for (int rate = 1; rate < HALF_LIVES.length; rate++) {
      FADES[rate] = StrictMath.pow(0.5, 1.0 / HALF_LIVES[rate]);
      BACKS[rate] = StrictMath.pow(FADES[rate], DRAWN_BACK);
    }
  }

  /** How many of them, the first ones, do not need small windows. */
  private static final int SLOW_RATES = 2;

  private static final double TRUST = 1;
  private static final double RIDGE = 0.5;
  private static final double LARGEST = 20;
  private static final double SAVED_FADE = StrictMath.pow(0.5, 1.0 / 500);

  private final int outputs;
  private final double[][] shifts;
  private final double[][] curvatures;
  private final double[] losses = new double[HALF_LIVES.length];
  private double lost; // fading sums over rows, without the short memories
  private double saved; // by them
  private double late; // how many rows labels were late, fading
  private final double[] first;
  private final double[] second;
  private final double[] scores;
  private final Derivatives derivatives = new Derivatives(false);
  private final String[] lossKeys;
  private final String[][] shiftKeys;
  private final String[][] curvatureKeys;
  private final String lostKey;
  private final String savedKey;
  private final String lateKey;

  /** One that is remembered under names that begin with {@code prefix}. */
  BaseTracker(int outputs, String prefix) {
    this.outputs = outputs;
    shifts = new double[HALF_LIVES.length][outputs];
    curvatures = new double[HALF_LIVES.length][outputs];
    first = new double[outputs];
    second = new double[outputs];
    scores = new double[outputs];
    lossKeys = new String[HALF_LIVES.length];
    shiftKeys = new String[HALF_LIVES.length][outputs];
    curvatureKeys = new String[HALF_LIVES.length][outputs];
    for (int rate = 0; rate < HALF_LIVES.length; rate++) {
      String key = prefix + "shift" + HALF_LIVES[rate] + ".";
      lossKeys[rate] = key + "loss";
      for (int k = 0; k < outputs; k++) {
        shiftKeys[rate][k] = key + k;
        curvatureKeys[rate][k] = key + "curvature" + k;
      }
    }
    lostKey = prefix + "shift.lost";
    savedKey = prefix + "shift.saved";
    lateKey = prefix + "shift.late";
  }

  void read(Map<String, Double> metrics) {
    for (int rate = 0; rate < HALF_LIVES.length; rate++) {
      losses[rate] = metrics.getOrDefault(lossKeys[rate], 0.0);
      for (int k = 0; k < outputs && rate > 0; k++) {
        shifts[rate][k] = metrics.getOrDefault(shiftKeys[rate][k], 0.0);
        curvatures[rate][k] = metrics.getOrDefault(curvatureKeys[rate][k], 0.0);
      }
    }
    lost = metrics.getOrDefault(lostKey, 0.0);
    saved = metrics.getOrDefault(savedKey, 0.0);
    late = metrics.getOrDefault(lateKey, 0.0);
  }

  void write(Figures.Builder metrics) {
    for (int rate = 0; rate < HALF_LIVES.length; rate++) {
      metrics.put(lossKeys[rate], losses[rate]);
      for (int k = 0; k < outputs && rate > 0; k++) {
        metrics.put(shiftKeys[rate][k], shifts[rate][k]);
        metrics.put(curvatureKeys[rate][k], curvatures[rate][k]);
      }
    }
    metrics.put(lostKey, lost);
    metrics.put(savedKey, saved);
    metrics.put(lateKey, late);
  }

  void rescale(double factor) {
    for (int rate = 0; rate < losses.length; rate++) {
      losses[rate] *= factor;
    }
    lost *= factor;
    saved *= factor;
  }

  /** The shift that serves: one number an output. */
  double[] shift() {
    return mean(FadingLoss.weights(losses, TRUST));
  }

  private double[] mean(double[] weights) {
    double[] mean = new double[outputs];
    for (int rate = 1; rate < weights.length; rate++) {
      for (int k = 0; k < outputs; k++) {
        mean[k] += weights[rate] * shifts[rate][k];
      }
    }
    return mean;
  }

  /**
   * What the memories of ten rows and fewer have saved of late: a share of what rows lose without
   * them, below 0 if they did harm.
   */
  double saved() {
    return lost > 0 ? saved / lost : 0;
  }

  /**
   * Judges all rates on rows, so many at a time, before it moves them along these.
   *
   * @param rows of a small window: what rates are worth there
   */
  void judgeAndFollow(
      Objective objective, double[] labels, double[] scores, int rows, double scale, double lag) {
    for (int from = 0; from < labels.length; from += rows) {
      int to = Math.min(labels.length, from + rows);
      double[] someLabels = Arrays.copyOfRange(labels, from, to);
      double[] someScores = Arrays.copyOfRange(scores, from * outputs, to * outputs);
      judge(objective, someLabels, someScores, scale, lag);
      follow(objective, someLabels, someScores);
    }
  }

  /**
   * Judges all rates on rows that neither they nor the trees have learned from.
   *
   * @param scores raw scores without any shift, row by row
   * @param lag how many rows ago the newest label was, when they were served: a memory shorter than
   *     that is of no use. Large windows cannot tell a few rows, so what small ones told is kept.
   */
  private void judge(
      Objective objective, double[] labels, double[] scores, double scale, double lag) {
    double[] all = shift();
    double[] slow = mean(FadingLoss.weights(Arrays.copyOf(losses, SLOW_RATES), TRUST));
    for (int row = 0; row < labels.length; row++) {
      double without = FadingLoss.bounded(loss(objective, labels[row], scores, row, slow) / scale);
      double with = FadingLoss.bounded(loss(objective, labels[row], scores, row, all) / scale);
      lost = SAVED_FADE * lost + without;
      saved = SAVED_FADE * saved + without - with;
      for (int rate = 0; rate < HALF_LIVES.length; rate++) {
        losses[rate] =
            FadingLoss.next(
                losses[rate],
                FadingLoss.FADE,
                loss(objective, labels[row], scores, row, shifts[rate]),
                scale);
      }
    }
    late = Math.max(lag, late * StrictMath.pow(SAVED_FADE, labels.length));
    for (int rate = 1; rate < HALF_LIVES.length; rate++) {
      if (2 * late > HALF_LIVES[rate]) {
        losses[rate] = losses[0] + FadingLoss.HOPELESS;
      }
    }
    if (!mayHelp(late)) {
      saved = 0; // by memories of which even the longest is of no use
    }
  }

  /** Whether the short memories are of use where labels are so many rows late. */
  static boolean mayHelp(double lag) {
    return 2 * lag <= HALF_LIVES[SLOW_RATES];
  }

  /** Of a row whose scores are moved by a shift. */
  private double loss(Objective objective, double label, double[] all, int row, double[] shift) {
    for (int k = 0; k < outputs; k++) {
      scores[k] = all[row * outputs + k] + shift[k];
    }
    return objective.excessLoss(label, scores);
  }

  /** Moves all rates along rows in the order of their time. */
  private void follow(Objective objective, double[] labels, double[] scores) {
    for (int row = 0; row < labels.length; row++) {
      for (int rate = 1; rate < HALF_LIVES.length; rate++) {
        step(objective, labels[row], scores, row, rate);
      }
    }
  }

  private void step(Objective objective, double label, double[] all, int row, int rate) {
    for (int k = 0; k < outputs; k++) {
      scores[k] = all[row * outputs + k] + shifts[rate][k];
    }
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
    double fade = FADES[rate];
    double back = BACKS[rate];
    for (int k = 0; k < outputs; k++) {
      double curvature = fade * curvatures[rate][k] + second[k];
      double moved = back * (shifts[rate][k] - first[k] / (curvature + ridge));
      if (Double.isFinite(curvature) && Double.isFinite(moved)) {
        curvatures[rate][k] = curvature;
        shifts[rate][k] =
            objective.classes() > 0 ? Math.max(-LARGEST, Math.min(LARGEST, moved)) : moved;
      }
    }
  }
}
