package io.holdfast.boosting.select;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import java.util.Arrays;
import java.util.List;

/**
 * A share of all weight for each environment, moved towards those that lose most: the mixture of
 * environments that an adversary would choose. Owned by one thread.
 *
 * <p>Exponentiated gradient ascent, as in Sagawa, Koh, Hashimoto and Liang, "Distributionally
 * robust neural networks for group shifts", ICLR 2020, algorithm 1.
 */
final class EnvironmentWeights {
  private final Rows rows;
  private final double[] weightOf; // of all rows of an environment
  private final double[] shares;
  private double total;

  /** Equal shares. */
  EnvironmentWeights(Rows rows) {
    this.rows = rows;
    weightOf = new double[rows.environments().size()];
    for (int row = 0; row < rows.size(); row++) {
      weightOf[rows.environment(row)] += rows.weight(row);
      total += rows.weight(row);
    }
    shares = new double[weightOf.length];
    Arrays.fill(shares, 1.0 / shares.length);
  }

  /** The environments' shares, which sum to 1. */
  List<Double> shares() {
    return Arrays.stream(shares).boxed().toList();
  }

  /** The mean excess loss of each environment. */
  static double[] losses(Model model, Rows rows) {
    return EnvironmentLosses.excess(model.objective(), rows, Scorer.scoresOf(model, rows));
  }

  /** Of losses, each environment counting the same. */
  static double mean(double[] losses) {
    double sum = 0;
    for (double loss : losses) {
      sum += loss;
    }
    return sum / losses.length;
  }

  /**
   * Moves the shares: one of loss {@code l} is multiplied by {@code exp(step · l / scale)}.
   *
   * @param scale of losses, above 0
   */
  void move(double[] losses, double step, double scale) {
    double most = Arrays.stream(losses).max().orElseThrow();
    double sum = 0;
    for (int e = 0; e < shares.length; e++) {
      shares[e] *= StrictMath.exp(step * (losses[e] - most) / scale); // at most 1: never infinite
      sum += shares[e];
    }
    for (int e = 0; e < shares.length; e++) {
      shares[e] = Math.max(shares[e] / sum, 1e-6); // none is lost for good
    }
  }

  /** The rows with weights by which each environment has its share, and all the weight it had. */
  Rows weighted() {
    return rows.weighted(
        row -> {
          int e = rows.environment(row);
          return rows.weight(row) * shares[e] * total / weightOf[e];
        });
  }
}
