package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.OptionalDouble;

/** An objective of one raw score a row, with its derivatives in that score. Immutable. */
public sealed interface ScalarObjective extends Objective
    permits RealObjective, BinaryObjective, LogLinkObjective, Beta, Ordinal {

  /** L(y, f). */
  double loss(double label, double score);

  /** dL/df. */
  double gradient(double label, double score);

  /** d²L/df². */
  double hessian(double label, double score);

  /** d³L/df³. */
  double thirdDerivative(double label, double score);

  /**
   * The curvature that trees grow on, and that a step takes where that of the second derivative is
   * not safe: at least 0, and above it wherever the gradient is not 0. It is the second derivative
   * itself, but for losses whose second derivative may be 0 or below.
   */
  default double growthCurvature(double label, double score) {
    return hessian(label, score);
  }

  /**
   * Whether the second derivative and the growth curvature are the same whatever the raw score, so
   * that the third derivative is 0: they are then evaluated once, not again with each tree.
   */
  default boolean constantCurvature() {
    return false;
  }

  /** Loss and derivatives at once, the same bits as the methods above give. */
  default void derivatives(double label, double score, Derivatives target) {
    target.loss = loss(label, score);
    target.first = gradient(label, score);
    target.second = hessian(label, score);
    target.third = thirdDerivative(label, score);
    target.growth = growthCurvature(label, score);
  }

  /** As above for the block's first {@code count} rows, to the same bits. */
  default void derivatives(DerivativeBlock block, int count) {
    Derivatives row = block.row;
    for (int k = 0; k < count; k++) {
      derivatives(block.labels[k], block.scores[k], row);
      block.loss[k] = row.loss;
      block.first[k] = row.first;
      block.second[k] = row.second;
      block.third[k] = row.third;
      block.growth[k] = row.growth;
    }
  }

  /** The link of one raw score. */
  double prediction(double score);

  /** The constant raw score that training starts from: see {@link #initialScores}. */
  double initialScore(Rows rows);

  /**
   * How far a raw score may go in one step before a quadratic says nothing of the loss any more. A
   * leaf by itself needs no such limit: its own curvature keeps it from going too far. One that an
   * anchor couples with others can be moved for the sake of those, and further each time the less
   * curvature it has left.
   */
  default double reach() {
    return Double.POSITIVE_INFINITY;
  }

  /** For a loss without curvature, the quantile of its residuals that a leaf takes. */
  default OptionalDouble leafQuantile() {
    return OptionalDouble.empty();
  }

  @Override
  default int outputs() {
    return 1;
  }

  @Override
  default double loss(double label, double... scores) {
    return loss(label, scores[0]);
  }

  @Override
  default double prediction(double... scores) {
    return prediction(scores[0]);
  }

  @Override
  default void probabilities(double[] scores, double[] target) {
    // a regression has no classes
  }

  @Override
  default double[] initialScores(Rows rows) {
    return new double[] {initialScore(rows)};
  }
}
