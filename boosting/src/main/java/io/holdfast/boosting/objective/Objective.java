package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A loss of a label and the raw scores of its row, with link and initial scores (docs/math.md,
 * "Losses"). Immutable.
 *
 * <p>Raw scores are unbounded; every value is computed without overflow or cancellation for raw
 * scores up to 40 in size and beyond. Raw scores of several rows stand output by output: output
 * {@code k} of row {@code r} of {@code n} is at {@code k * n + r}.
 */
public sealed interface Objective permits ScalarObjective, Softmax, Calibrated {

  /** The name in settings and manifests: the type's in lower case. */
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Parameters by name, those learned from labels among them; empty if it has none. */
  default Map<String, Double> parameters() {
    return Map.of();
  }

  /** How many raw scores a row has. */
  int outputs();

  /** How many classes labels are of: labels are 0, 1, ... below it. 0 for regression. */
  int classes();

  /** Whether predictions are probabilities of the label 1, not classes: not so for softmax. */
  default boolean binary() {
    return this instanceof BinaryObjective;
  }

  /** Whether {@code label} is allowed. */
  boolean accepts(double label);

  /** What labels are allowed, to end the sentence "labels must be ...". */
  String labelRule();

  /** Refuses, in one sentence, labels that are not allowed; {@code kind} is said before the row. */
  default void checkLabels(Rows rows, String kind) {
    for (int row = 0; row < rows.size(); row++) {
      double label = rows.label(row);
      if (!accepts(label)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "labels must be %s for %s: %srow %s has %s",
                labelRule(),
                name(),
                kind,
                row,
                label));
      }
    }
  }

  /** L(y, f) of one row, whose raw scores are {@code scores[0, outputs)}. */
  double loss(double label, double... scores);

  /**
   * L(y, f) above the least that any raw scores give this label, which makes rows and environments
   * of unlike labels comparable: 0 where the prediction is the label. It is the loss itself where
   * that least is (nearly) 0, and for {@code beta}, whose least loss has no closed form.
   */
  default double excessLoss(double label, double... scores) {
    return loss(label, scores);
  }

  /** Σ weight · loss of rows, whose raw scores stand output by output. */
  default double totalLoss(Rows rows, double[] scores) {
    double[] one = new double[outputs()];
    double sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows.size() + row];
      }
      sum += rows.weight(row) * loss(rows.label(row), one);
    }
    return sum;
  }

  /** The link: what a user reads, a mean, the probability of 1, or the likeliest class. */
  double prediction(double... scores);

  /** Writes the probability of each class to {@code target[0, classes)}; nothing for regression. */
  void probabilities(double[] scores, double[] target);

  /** This objective with the parameters that it learns from labels, such as thresholds. */
  default Objective fittedTo(Rows rows) {
    return this;
  }

  /** This objective without a correction of its probabilities. */
  default Objective uncalibrated() {
    return this;
  }

  /** With learned parameters improved for these raw scores, by which the loss does not rise. */
  default Objective refitted(Rows rows, double[] scores) {
    return this;
  }

  /** This objective as it was configured: a model's and the settings' must be equal in this. */
  default Objective unfitted() {
    return this;
  }

  /**
   * The constant raw scores, one an output, that training on at least one row starts from: those of
   * least weighted loss, but for {@code huber} (the median) and {@code beta} (the logit of the
   * mean). Always finite: a class without rows counts as half a row of average weight.
   */
  double[] initialScores(Rows rows);

  /** Whether no finite constant is best for these rows, as where a class has no row. */
  default boolean unbounded(Rows rows) {
    return false;
  }

  /** Whether the gradient has a slope, so that an anchor can bend it. */
  default boolean anchorable() {
    return true;
  }

  /** The names of all objectives. */
  static List<String> names() {
    return ObjectiveParser.NAMES;
  }

  /** The objective of that name, with no parameters given; as {@link #of}. */
  static Objective named(String name) {
    return of(name, Map.of());
  }

  /**
   * The objective with that {@link #name} and {@link #parameters}; learned ones may be left out.
   *
   * @throws IllegalArgumentException in one sentence, saying what is allowed, if there is no such
   *     objective, or a parameter is missing, unknown or out of bounds
   */
  static Objective of(String name, Map<String, Double> parameters) {
    return ObjectiveParser.parse(name, parameters);
  }
}
