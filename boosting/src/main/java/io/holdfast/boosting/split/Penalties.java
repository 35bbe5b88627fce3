package io.holdfast.boosting.split;

import io.holdfast.boosting.numeric.Check;

/**
 * What leaf values and leaves cost (docs/math.md, "Splits"). Immutable.
 *
 * @param lambda1 on the absolute value of a leaf value, 0 or more
 * @param lambda2 on half the square of a leaf value, 0 or more
 * @param leafPrice what each further leaf must gain, 0 or more
 */
public record Penalties(double lambda1, double lambda2, double leafPrice) {
  /** A ridge penalty alone; 0 is no penalty at all. */
  public static Penalties ridge(double lambda2) {
    return new Penalties(0, lambda2, 0);
  }

  public Penalties {
    Check.that(
        lambda1 >= 0 && lambda1 < Double.POSITIVE_INFINITY,
        "lambda1 must be 0 or more and finite: %s",
        lambda1);
    Check.that(
        lambda2 >= 0 && lambda2 < Double.POSITIVE_INFINITY,
        "lambda must be 0 or more and finite: %s",
        lambda2);
    Check.that(
        leafPrice >= 0 && leafPrice < Double.POSITIVE_INFINITY,
        "leafPrice must be 0 or more and finite: %s",
        leafPrice);
  }

  /** These, with another penalty on absolute values. */
  public Penalties withLambda1(double value) {
    return new Penalties(value, lambda2, leafPrice);
  }

  /** These, with another price of a leaf. */
  public Penalties withLeafPrice(double value) {
    return new Penalties(lambda1, lambda2, value);
  }
}
