package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.Gamma;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Tweedie;

/**
 * What a row's raw scores say of how good they are, before its label has come, and what came true.
 * Owned by one thread; allocates nothing a row once it has seen an objective.
 *
 * <p>Two figures a row. Of classes: whether the prediction is right, and the log loss. Of values:
 * the squared and the absolute error, which scores tell up to a factor by the variance that the
 * objective's distribution has at the prediction.
 */
final class Account {
  private double[] probabilities = new double[0];

  // The two figures of the newest row.
  double first;
  double second;

  static boolean ofClasses(Objective objective) {
    return objective.classes() > 0;
  }

  /** Whether scores tell their spread in full, without a factor to be learned from labels. */
  static boolean complete(Objective objective) {
    return ofClasses(objective) || objective instanceof Poisson || objective instanceof Beta;
  }

  /** What the scores say. */
  void expect(Objective objective, double[] raw) {
    if (!ofClasses(objective)) {
      first = variance(objective, objective.prediction(raw));
      second = StrictMath.sqrt(first);
      return;
    }
    if (probabilities.length != objective.classes()) {
      probabilities = new double[objective.classes()];
    }
    objective.probabilities(raw, probabilities);
    first = 0;
    second = 0;
    for (double p : probabilities) {
      first = Math.max(first, p);
      second -= p > 0 ? p * StrictMath.log(p) : 0;
    }
  }

  /** What came true. */
  void measure(Objective objective, double label, double[] raw) {
    double prediction = objective.prediction(raw);
    switch (objective) {
      case BinaryObjective binary -> {
        first = (prediction > 0.5 ? 1 : 0) == label ? 1 : 0;
        second = binary.logLoss(label, raw[0]);
      }
      case Calibrated calibrated -> {
        double predicted = objective.binary() ? (prediction > 0.5 ? 1 : 0) : prediction;
        first = predicted == label ? 1 : 0;
        second = calibrated.logLoss(label, raw);
      }
      default -> {
        double error = prediction - label;
        boolean classes = ofClasses(objective);
        first = classes ? (error == 0 ? 1 : 0) : error * error;
        second = classes ? objective.loss(label, raw) : Math.abs(error);
      }
    }
  }

  /** Of a label around its prediction, up to a factor. */
  private static double variance(Objective objective, double mean) {
    return switch (objective) {
      case Poisson _ -> mean;
      case Gamma _ -> mean * mean;
      case Tweedie tweedie -> StrictMath.pow(mean, tweedie.power());
      case Beta beta -> mean * (1 - mean) / (1 + beta.precision());
      default -> 1;
    };
  }
}
