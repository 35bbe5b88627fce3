package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.OptionalDouble;

/** An objective of one raw score a row, with its derivatives in that score. Immutable. */
public sealed interface ScalarObjective extends Objective
    permits RealObjective, BinaryObjective, LogLinkObjective, Beta, Ordinal {

  /** L(y, f). */
  double loss(double label, double score);

  /** Loss and derivatives at once. */
  void derivatives(double label, double score, Derivatives target);

  /** The same, the third derivative among them, in a new object. */
  default Derivatives derivatives(double label, double score) {
    Derivatives target = new Derivatives(true);
    derivatives(label, score, target);
    return target;
  }

  /** Whether curvatures do not depend on the raw score: they are then evaluated only once. */
  default boolean constantCurvature() {
    return false;
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
   * How far a raw score may go in one step before a quadratic says nothing of the loss any more.
   * Only leaves that an anchor couples need the limit: they can be moved for the sake of others,
   * further the less curvature they have left.
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

  /** 0: a regression. */
  @Override
  default int classes() {
    return 0;
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
