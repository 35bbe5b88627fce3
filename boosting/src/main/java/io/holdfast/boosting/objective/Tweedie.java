package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.Check;
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
  public Map<String, Double> parameters() {
    return Map.of("power", power);
  }

  @Override
  public double loss(double label, double score) {
    return fallingPart(label, score) / (power - 1) + risingPart(score) / (2 - power);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double falling = fallingPart(label, score);
    double rising = risingPart(score);
    double down = power - 1;
    double up = 2 - power;
    target.set(
        falling / down + rising / up,
        LogLinkObjective.difference(label, score, rising, falling),
        up * rising + down * falling,
        up * up * rising - down * down * falling);
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

  private double fallingPart(double label, double score) {
    return LogLinkObjective.scaled(label, (1 - power) * score);
  }

  private double risingPart(double score) {
    return StrictMath.exp((2 - power) * score);
  }
}
