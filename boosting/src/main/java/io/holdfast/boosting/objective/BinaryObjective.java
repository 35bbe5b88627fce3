package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

/** A loss of labels 0 and 1 that predicts the probability of 1, by a symmetric link. Immutable. */
public sealed interface BinaryObjective extends ScalarObjective
    permits Logistic, Probit, Exponential {

  /** −log of the probability of the label. */
  default double logLoss(double label, double score) {
    return loss(label, score);
  }

  @Override
  default boolean unbounded(Rows rows) {
    return LabelSummary.allAre(0, rows) || LabelSummary.allAre(1, rows);
  }

  @Override
  default int classes() {
    return 2;
  }

  @Override
  default boolean accepts(double label) {
    return label == 0 || label == 1;
  }

  @Override
  default String labelRule() {
    return "0 or 1";
  }

  @Override
  default void probabilities(double[] scores, double[] target) {
    target[0] = prediction(-scores[0]); // not 1 − p, which cancels
    target[1] = prediction(scores[0]);
  }
}
