package io.holdfast.boosting.objective;

/** A loss of any finite label whose prediction is the raw score itself. Immutable. */
public sealed interface RealObjective extends ScalarObjective
    permits Squared, Huber, QuantileObjective {

  @Override
  default double prediction(double score) {
    return score;
  }

  @Override
  default boolean accepts(double label) {
    return Double.isFinite(label);
  }

  @Override
  default String labelRule() {
    return "finite numbers";
  }
}
