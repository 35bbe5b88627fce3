package io.holdfast.boosting.objective;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.data.Rows;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The pinball loss, α (y − f) below the label and (1 − α)(f − y) above; the prediction is f itself,
 * an α-quantile. At y = f the gradient is taken to be 0.
 *
 * @param alpha α, above 0 and below 1
 */
public record Quantile(double alpha) implements RealObjective {
  public Quantile {
    Check.that(alpha > 0 && alpha < 1, "alpha must be above 0 and below 1: %s", alpha);
  }

  @Override
  public String name() {
    return "quantile";
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("alpha", alpha);
  }

  @Override
  public double loss(double label, double score) {
    return label > score ? alpha * (label - score) : (1 - alpha) * (score - label);
  }

  @Override
  public double gradient(double label, double score) {
    if (label == score) {
      return 0;
    }
    return label > score ? -alpha : 1 - alpha;
  }

  @Override
  public double hessian(double label, double score) {
    return 0;
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return 0;
  }

  /** 1: splits are those of the gradients' means. */
  @Override
  public double growthCurvature(double label, double score) {
    return 1;
  }

  @Override
  public double initialScore(Rows rows) {
    return LabelSummary.quantile(rows, alpha);
  }

  @Override
  public OptionalDouble leafQuantile() {
    return OptionalDouble.of(alpha);
  }

  @Override
  public boolean anchorable() {
    return false;
  }
}
