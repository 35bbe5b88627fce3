package io.holdfast.boosting.split;

import io.holdfast.boosting.numeric.Check;

/**
 * What leaf values and leaves cost (docs/math.md, "Splits"), all 0 or more. Immutable.
 *
 * @param lambda1 on the absolute value of a leaf value
 * @param lambda2 on half the square of a leaf value
 * @param leafPrice what each further leaf must gain
 */
public record Penalties(double lambda1, double lambda2, double leafPrice) {
  public Penalties {
    check("lambda1", lambda1);
    check("lambda", lambda2);
    check("leafPrice", leafPrice);
  }

  private static void check(String name, double value) {
    boolean good = value >= 0 && value < Double.POSITIVE_INFINITY;
    Check.that(good, "%s must be 0 or more and finite: %s", name, value);
  }

  /** A ridge penalty alone; 0 is no penalty at all. */
  public static Penalties ridge(double lambda2) {
    return new Penalties(0, lambda2, 0);
  }
}
