package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.Map;

/**
 * A loss of a label and a raw score, with its derivatives, link and initial score (docs/math.md,
 * section 1). Immutable and stateless.
 *
 * <p>Raw scores are unbounded; every value is computed without overflow or cancellation for raw
 * scores up to 40 in size and beyond.
 */
public sealed interface Objective permits Squared, Logistic, Probit {

  /** The name in settings and manifests, for example {@code logistic}. */
  String name();

  /** Parameters by name; empty if it has none. */
  default Map<String, Double> parameters() {
    return Map.of();
  }

  /** L(y, f). */
  double loss(double label, double score);

  /** dL/df. */
  double gradient(double label, double score);

  /** d²L/df². */
  double hessian(double label, double score);

  /** d³L/df³. */
  double thirdDerivative(double label, double score);

  /** All three derivatives at once, the same bits as the three methods give. */
  default void derivatives(double label, double score, Derivatives target) {
    target.first = gradient(label, score);
    target.second = hessian(label, score);
    target.third = thirdDerivative(label, score);
  }

  /** The link: what a user reads, a mean or a probability. */
  double prediction(double score);

  /**
   * The constant raw score of least weighted loss on the rows, of which there is at least one.
   *
   * <p>Finite always: if all labels of a binary objective are alike, the rare class counts as half
   * a row of average weight.
   */
  double initialScore(Rows rows);

  /** Whether predictions are probabilities of the label 1. */
  boolean binary();

  /** Whether {@code label} is allowed. */
  boolean accepts(double label);

  /** What labels are allowed, to end the sentence "labels must be ...". */
  String labelRule();

  /**
   * The objective of that name.
   *
   * @throws IllegalArgumentException naming the objectives there are, if there is none of that name
   */
  static Objective named(String name) {
    return switch (name) {
      case "squared" -> new Squared();
      case "logistic" -> new Logistic();
      case "probit" -> new Probit();
      default ->
          throw new IllegalArgumentException(
              "objective must be one of squared, logistic, probit: " + name);
    };
  }
}
