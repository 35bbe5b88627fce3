package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.Check;
import java.util.Map;

/**
 * The pinball loss, α (y − f) below the label and (1 − α)(f − y) above; the prediction is f itself,
 * an α-quantile. At y = f the gradient is taken to be 0.
 *
 * @param alpha α, above 0 and below 1
 */
public record Quantile(double alpha) implements QuantileObjective {
  public Quantile {
    Check.that(alpha > 0 && alpha < 1, "alpha must be above 0 and below 1: %s", alpha);
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
    return label == score ? 0 : label > score ? -alpha : 1 - alpha;
  }

  @Override
  public double level() {
    return alpha;
  }
}
