package io.holdfast.trainer.policy;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.version.Figures;
import io.holdfast.trainer.window.Served;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether experts serve, or a constant, which knows labels and no features: by what rows lost that
 * were served, and would have lost by the other. Owned by one thread.
 */
final class Shrinkage {
  /*
   * Experts are judged by labels that come next after those they learned from. With late labels
   * what serves is older by the delay, and in a world that moves faster than that it is worse than
   * nothing, which their losses cannot tell. A row says what was served for it; with the share and
   * the constant of the version that served it, that is what the experts said then.
   *
   * Experts may be far too sure and right all the same: they are judged by the best of several
   * shares of their scores. Where the constant serves they keep a small share, so that it is seen
   * what they would have served. Losses fade slowly against the delay: when a drift is seen in what
   * was served, experts have learned of it long ago.
   *
   * The last few stances are kept, those that rows on their way were served by. A row of none of
   * them is not judged: so are those before the first, which knew nothing.
   */
  /** Of what the experts say. */
  private static final double[] SHARES = {1, 0.5, 0.25, 0.125};

  private static final double LEAST_SHARE = 1.0 / 8;

  /** Losses count half after so many rows, or delays, whichever is longer. */
  private static final double HALF_LIFE = 500;

  private static final double DELAYS = 4;

  /** The constant takes over when it lost less by that, in units of the log of a probability. */
  private static final double MARGIN = 20;

  /** A constant that serves stays while a newer one differs by less, in units of a raw score. */
  private static final double STILL = 0.05;

  private static final int MOST_STANCES = 8;

  /** So many rows make a constant, or all there are. */
  private static final int MEMORY = 2_000;

  private final int outputs;
  private final double[] losses = new double[SHARES.length];
  private final ArrayDeque<Stance> stances = new ArrayDeque<>();
  private double lossOfConstant;
  private double[] latest;

  private final String lossOfConstantKey;
  private final String[] lossKeys = new String[SHARES.length];
  private final String[] latestKeys;
  private final String[] fromKeys = new String[MOST_STANCES]; // by stance
  private final String[] shareKeys = new String[MOST_STANCES];
  private final String[][] constantKeys = new String[MOST_STANCES][];

  /**
   * What serves from a version on.
   *
   * @param share what the experts count with; the constant counts with the rest
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Stance(long from, double share, double[] constant) {
    private double said(double served, int k) {
      return share == 1 ? served : constant[k] + (served - constant[k]) / share;
    }
  }

  /** One that is remembered under names that begin with {@code prefix}. */
  Shrinkage(int outputs, String prefix) {
    this.outputs = outputs;
    latest = new double[outputs];
    lossOfConstantKey = prefix + "loss";
    Arrays.setAll(lossKeys, s -> prefix + "loss" + s);
    Arrays.setAll(fromKeys, s -> prefix + s + ".from");
    Arrays.setAll(shareKeys, s -> prefix + s + ".share");
    latestKeys = constantKeys(prefix, outputs);
    Arrays.setAll(constantKeys, s -> constantKeys(prefix + s + ".", outputs));
  }

  private static String[] constantKeys(String prefix, int outputs) {
    String[] keys = new String[outputs];
    Arrays.setAll(keys, k -> prefix + "constant" + k);
    return keys;
  }

  void read(Map<String, Double> metrics) {
    latest = constant(metrics, latestKeys);
    lossOfConstant = metrics.getOrDefault(lossOfConstantKey, 0.0);
    for (int s = 0; s < losses.length; s++) {
      losses[s] = metrics.getOrDefault(lossKeys[s], 0.0);
    }
    stances.clear();
    for (int s = 0; s < MOST_STANCES && metrics.containsKey(fromKeys[s]); s++) {
      stances.add(
          new Stance(
              metrics.getOrDefault(fromKeys[s], 0.0).longValue(),
              metrics.getOrDefault(shareKeys[s], 1.0),
              constant(metrics, constantKeys[s])));
    }
  }

  private static double[] constant(Map<String, Double> metrics, String[] keys) {
    double[] constant = new double[keys.length];
    for (int k = 0; k < keys.length; k++) {
      constant[k] = metrics.getOrDefault(keys[k], 0.0);
    }
    return constant;
  }

  void write(Figures.Builder metrics) {
    write(metrics, latestKeys, latest);
    metrics.put(lossOfConstantKey, lossOfConstant);
    for (int s = 0; s < losses.length; s++) {
      metrics.put(lossKeys[s], losses[s]);
    }
    int s = 0;
    for (Stance stance : stances) {
      metrics.put(fromKeys[s], (double) stance.from);
      if (stance.share < 1) {
        metrics.put(shareKeys[s], stance.share);
        write(metrics, constantKeys[s], stance.constant);
      }
      s++;
    }
  }

  private static void write(Figures.Builder metrics, String[] keys, double[] constant) {
    for (int k = 0; k < constant.length; k++) {
      metrics.put(keys[k], constant[k]);
    }
  }

  void rescale(double factor) {
    lossOfConstant *= factor;
    for (int s = 0; s < losses.length; s++) {
      losses[s] *= factor;
    }
  }

  /** What the experts count with in the version to be. */
  double share() {
    return stances.isEmpty() ? 1 : stances.getLast().share;
  }

  /** What the constant adds to raw score {@code k}. */
  double constant(int k) {
    return stances.isEmpty() ? 0 : (1 - share()) * stances.getLast().constant[k];
  }

  /** Whether so many of the newest rows make a constant. */
  static boolean suffice(int some, long all) {
    return some >= Math.min(MEMORY, all);
  }

  /** Takes the constant of newer rows. */
  void constant(double[] constant) {
    latest = constant.clone();
  }

  /**
   * Judges rows that were served.
   *
   * @param scale what losses are divided by
   * @param lag how many rows ago the newest label was, when they were served
   */
  void judge(Objective objective, double[] labels, Served[] served, double scale, double lag) {
    double fade = StrictMath.pow(0.5, 1 / Math.max(HALF_LIFE, DELAYS * lag));
    double[] one = new double[outputs];
    for (int row = 0; row < labels.length; row++) {
      Stance then = then(served[row].version());
      double[] raw = served[row].rawScores();
      if (then == null || raw.length != outputs) {
        continue;
      }
      for (int s = 0; s < SHARES.length; s++) {
        for (int k = 0; k < outputs; k++) {
          double least = objective.classes() > 0 ? 0 : latest[k];
          one[k] = least + SHARES[s] * (then.said(raw[k], k) - least);
        }
        losses[s] =
            fade * losses[s] + FadingLoss.bounded(objective.excessLoss(labels[row], one) / scale);
      }
      for (int k = 0; k < outputs; k++) {
        one[k] = latest[k] + LEAST_SHARE * (then.said(raw[k], k) - latest[k]);
      }
      lossOfConstant =
          fade * lossOfConstant
              + FadingLoss.bounded(objective.excessLoss(labels[row], one) / scale);
    }
  }

  private @Nullable Stance then(long version) {
    Stance then = null;
    for (Stance stance : stances) {
      then = stance.from <= version ? stance : then;
    }
    return then;
  }

  /**
   * Chooses anew what serves, when experts are weighed anew.
   *
   * @param version the one to be
   */
  void choose(long version) {
    double lossOfExperts = Arrays.stream(losses).min().orElseThrow();
    boolean drawn = share() < 1;
    double next = lossOfConstant + (drawn ? 0 : MARGIN) < lossOfExperts ? LEAST_SHARE : 1;
    if (stances.isEmpty() || next != share() || (drawn && !still(stances.getLast().constant))) {
      stances.add(new Stance(version, next, latest.clone()));
    }
    while (stances.size() > MOST_STANCES) {
      stances.removeFirst();
    }
  }

  private boolean still(double[] constant) {
    for (int k = 0; k < outputs; k++) {
      if (!(Math.abs(constant[k] - latest[k]) < STILL)) {
        return false;
      }
    }
    return true;
  }
}
