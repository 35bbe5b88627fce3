package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.LogLinkObjective;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.Softmax;

/**
 * A row that was predicted before its label was known, as the stream's evaluation needs it.
 *
 * @param label the class, or the real label
 * @param weight what the row counts
 * @param predicted what was predicted: a class, or a value
 * @param ranking what rows of two classes are ranked by for {@code auc}; for more classes the
 *     probability of each; empty where nothing is ranked
 * @param loss the objective's loss of the raw scores
 * @param logLoss −log of the probability of the class; NaN for values
 * @param deviance of the label from the prediction: for counts, positive values and classes with an
 *     order; NaN for others
 * @param noChange the newest label that had arrived when it was predicted
 * @param constant the commonest class then, or the mean label
 */
@SuppressWarnings("ArrayRecordComponent") // made for one row; never compared
public record Tested(
    double label,
    double weight,
    double predicted,
    double[] ranking,
    double loss,
    double logLoss,
    double deviance,
    double noChange,
    double constant) {
  private static final double[] UNRANKED = {};

  /** A row and its raw scores. */
  public static Tested of(
      Objective objective,
      double label,
      double weight,
      double[] raw,
      double noChange,
      double constant) {
    double prediction = objective.prediction(raw);
    double loss = objective.loss(label, raw);
    double predicted = prediction;
    double[] ranking = UNRANKED;
    double logLoss = Double.NaN;
    double deviance = Double.NaN;
    switch (objective) {
      case BinaryObjective binary -> {
        predicted = prediction > 0.5 ? 1 : 0;
        ranking = new double[] {raw[0]};
        logLoss = binary.logLoss(label, raw[0]);
      }
      case Softmax _ -> {
        ranking = new double[objective.classes()];
        objective.probabilities(raw, ranking);
        logLoss = loss;
      }
      case Ordinal _ -> {
        logLoss = loss;
        deviance = 2 * loss;
      }
      case Calibrated calibrated -> {
        logLoss = calibrated.logLoss(label, raw);
        if (objective.binary()) {
          predicted = prediction > 0.5 ? 1 : 0;
          ranking = new double[] {prediction};
        } else if (calibrated.of() instanceof Ordinal) {
          deviance = 2 * loss;
        } else {
          ranking = new double[objective.classes()];
          objective.probabilities(raw, ranking);
        }
      }
      case LogLinkObjective positive -> deviance = positive.deviance(label, raw[0]);
      default -> {
        // values without more
      }
    }
    return new Tested(
        label, weight, predicted, ranking, loss, logLoss, deviance, noChange, constant);
  }
}
