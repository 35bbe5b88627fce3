package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.objective.Objective;
import java.util.ArrayDeque;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How good scores of classes are by their own account, before any label has come: the accuracy and
 * the log loss that there would be if the probabilities were right. Against what labels say later
 * it tells how calibrated the scores are; until then it is an estimate that knows shifts of
 * features, and none of what labels depend on. Garg et al., "Leveraging unlabeled data to predict
 * out-of-distribution performance", ICLR 2022, on what it can and cannot tell. Owned by one thread.
 */
public final class Expected {
  private final int window;
  private final ArrayDeque<double[]> newest = new ArrayDeque<>();

  /** Of the newest {@code window} rows. */
  public Expected(int window) {
    this.window = window;
  }

  /** The next row's raw scores; nothing for objectives without classes. */
  public void add(Objective objective, double[] raw) {
    if (objective.classes() == 0) {
      return;
    }
    newest.addLast(ofRow(objective, raw));
    if (newest.size() > window) {
      newest.removeFirst();
    }
  }

  /** {@code accuracy} and {@code logLoss}; nothing if there are no rows. */
  public SortedMap<String, Double> figures() {
    SortedMap<String, Double> figures = new TreeMap<>();
    double accuracy = 0;
    double logLoss = 0;
    for (double[] row : newest) {
      accuracy += row[0];
      logLoss += row[1];
    }
    if (!newest.isEmpty()) {
      figures.put("accuracy", accuracy / newest.size());
      figures.put("logLoss", logLoss / newest.size());
    }
    return figures;
  }

  /** The largest probability, and the entropy. */
  static double[] ofRow(Objective objective, double[] raw) {
    double[] probabilities = new double[objective.classes()];
    objective.probabilities(raw, probabilities);
    double largest = 0;
    double entropy = 0;
    for (double p : probabilities) {
      largest = Math.max(largest, p);
      entropy -= p > 0 ? p * StrictMath.log(p) : 0;
    }
    return new double[] {largest, entropy};
  }
}
