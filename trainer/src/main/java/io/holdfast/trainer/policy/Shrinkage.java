package io.holdfast.trainer.policy;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.version.Figures;
import io.holdfast.trainer.window.Served;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the experts serve, or a constant that knows labels and no features: by the losses of what
 * was served. Owned by one thread.
 */
final class Shrinkage {
  /*
   * Experts are judged by labels that come right after those they learned from. With late labels
   * what serves is older by the delay, and in a world that moves faster it is worse than nothing,
   * which their losses cannot tell. A row says what was served for it; share and constant of the
   * version that served it give what the experts said then.
   *
   * Experts may be right and far too sure, so they are judged by the best of several shares of their
   * scores. Where the constant serves they keep a small share, so that what they would have served
   * can still be seen. Losses fade slowly compared with the delay: when a drift shows in what was
   * served, experts have long learned of it.
   *
   * The last few stances are remembered: rows on their way were served by them. Rows of older
   * versions are not judged, nor those from before the first stance.
   */
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
  private final double[] losses = new double[SHARES.length]; // of the experts
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
   * What serves from version {@code from} on.
   *
   * @param share of the experts; the constant has the rest
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Stance(long from, double share, double[] constant) {
    private double said(double served, int k) {
      return share == 1 ? served : constant[k] + (served - constant[k]) / share;
    }
  }

  Shrinkage(int outputs, String keyPrefix) {
    this.outputs = outputs;
    latest = new double[outputs];
    lossOfConstantKey = keyPrefix + "loss";
    Arrays.setAll(lossKeys, s -> keyPrefix + "loss" + s);
    Arrays.setAll(fromKeys, s -> keyPrefix + s + ".from");
    Arrays.setAll(shareKeys, s -> keyPrefix + s + ".share");
    latestKeys = constantKeys(keyPrefix, outputs);
    Arrays.setAll(constantKeys, s -> constantKeys(keyPrefix + s + ".", outputs));
  }

  private static String[] constantKeys(String prefix, int outputs) {
    String[] keys = new String[outputs];
    Arrays.setAll(keys, k -> prefix + "constant" + k);
    return keys;
  }

  void read(Map<String, Double> metrics) {
    StateFields fields = StateFields.reading(metrics);
    exchange(fields);
    stances.clear();
    for (int s = 0; s < MOST_STANCES && metrics.containsKey(fromKeys[s]); s++) {
      long from = (long) fields.exchange(fromKeys[s], 0);
      double[] constant = new double[outputs];
      exchange(fields, constantKeys[s], constant);
      stances.add(new Stance(from, fields.exchange(shareKeys[s], 1), constant));
    }
  }

  /** Writes what {@link #read} reads. */
  void write(Figures.Builder metrics) {
    StateFields fields = StateFields.writing(metrics);
    exchange(fields);
    int s = 0;
    for (Stance stance : stances) {
      metrics.put(fromKeys[s], (double) stance.from);
      if (stance.share < 1) {
        metrics.put(shareKeys[s], stance.share);
        exchange(fields, constantKeys[s], stance.constant);
      }
      s++;
    }
  }

  private void exchange(StateFields fields) {
    exchange(fields, latestKeys, latest);
    exchange(fields, lossKeys, losses);
    lossOfConstant = fields.exchange(lossOfConstantKey, lossOfConstant);
  }

  private static void exchange(StateFields fields, String[] keys, double[] values) {
    Arrays.setAll(values, k -> fields.exchange(keys[k], values[k]));
  }

  /** Multiplies all losses by {@code factor}. */
  void rescale(double factor) {
    lossOfConstant *= factor;
    Arrays.setAll(losses, s -> losses[s] * factor);
  }

  /** The share of the experts in the version to be. */
  double share() {
    return stances.isEmpty() ? 1 : stances.getLast().share;
  }

  /** What the constant adds to raw score {@code k}. */
  double constant(int k) {
    return stances.isEmpty() ? 0 : (1 - share()) * stances.getLast().constant[k];
  }

  /** Whether {@code some} of the newest rows make a constant. */
  static boolean suffice(int some, long all) {
    return some >= Math.min(MEMORY, all);
  }

  /** Takes the constant of newer rows. */
  void constant(double[] constant) {
    latest = constant.clone();
  }

  /**
   * Judges rows by what was served for them.
   *
   * @param scale losses are divided by it
   * @param lag label delay in rows
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
        double loss = objective.excessLoss(labels[row], one);
        losses[s] = FadingLoss.next(losses[s], fade, loss, scale);
      }
      for (int k = 0; k < outputs; k++) {
        one[k] = latest[k] + LEAST_SHARE * (then.said(raw[k], k) - latest[k]);
      }
      double loss = objective.excessLoss(labels[row], one);
      lossOfConstant = FadingLoss.next(lossOfConstant, fade, loss, scale);
    }
  }

  private @Nullable Stance then(long version) {
    Stance then = null;
    for (Stance stance : stances) {
      then = stance.from <= version ? stance : then;
    }
    return then;
  }

  /** Chooses what serves from {@code version} on, when experts are weighed anew. */
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
