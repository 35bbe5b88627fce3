package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.LogLinkObjective.LogScale;
import java.util.Map;

/**
 * −y e^((1−p)f) / (1−p) + e^((2−p)f) / (2−p) for labels of at least 0; the prediction is e^f, the
 * mean of a Tweedie distribution, whose variance grows with the p-th power of its mean.
 *
 * @param power p, above 1 (Poisson) and below 2 (gamma)
 */
public record Tweedie(double power) implements LogLinkObjective {
  public Tweedie {
    Check.that(power > 1 && power < 2, "power must be above 1 and below 2: %s", power);
  }

  @Override
  public String name() {
    return "tweedie";
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("power", power);
  }

  @Override
  public double loss(double label, double score) {
    return fallingPart(label, score) / (power - 1) + risingPart(score) / (2 - power);
  }

  @Override
  public double gradient(double label, double score) {
    return LogScale.difference(label, score, risingPart(score), fallingPart(label, score));
  }

  @Override
  public double hessian(double label, double score) {
    return (2 - power) * risingPart(score) + (power - 1) * fallingPart(label, score);
  }

  @Override
  public double thirdDerivative(double label, double score) {
    double rising = (2 - power) * (2 - power) * risingPart(score);
    return rising - (power - 1) * (power - 1) * fallingPart(label, score);
  }

  @Override
  public double excess(double label, double score) {
    if (label == 0) {
      return loss(label, score);
    }
    double above = score - StrictMath.log(label);
    double relative =
        StrictMath.expm1((1 - power) * above) / (power - 1)
            + StrictMath.expm1((2 - power) * above) / (2 - power);
    double scale = StrictMath.pow(label, 2 - power);
    return relative < Double.POSITIVE_INFINITY
        ? scale * relative
        : loss(label, score) - scale / (power - 1) / (2 - power); // of a label far from the mean
  }

  @Override
  public boolean accepts(double label) {
    return label >= 0 && label < Double.POSITIVE_INFINITY;
  }

  @Override
  public String labelRule() {
    return "finite numbers of 0 or more";
  }

  private double fallingPart(double label, double score) {
    return LogScale.scaled(label, (1 - power) * score);
  }

  private double risingPart(double score) {
    return StrictMath.exp((2 - power) * score);
  }
}
