package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import java.util.Map;

/**
 * ½(y − f)² for errors up to δ, beyond that linear: δ (|y − f| − ½δ). The prediction is f itself.
 *
 * @param delta δ, finite and above 0, in the unit of the labels
 */
public record Huber(double delta) implements RealObjective {
  public Huber {
    Check.that(
        delta > 0 && delta < Double.POSITIVE_INFINITY,
        "delta must be finite and above 0: %s",
        delta);
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("delta", delta);
  }

  @Override
  public double loss(double label, double score) {
    double error = Math.abs(label - score);
    return error <= delta ? 0.5 * error * error : delta * (error - 0.5 * delta);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double error = Math.abs(label - score);
    double first = Math.clamp(score - label, -delta, delta);
    target.set(loss(label, score), first, error <= delta ? 1 : 0, 0);
    // The curvature of the parabola that touches the loss here and lies above it elsewhere: a step
    // on it never raises the loss, however far out the rows are.
    target.growth = error <= delta ? 1 : delta / error;
  }

  /** The median. */
  @Override
  public double initialScore(Rows rows) {
    return LabelSummary.quantile(rows, 0.5);
  }
}
