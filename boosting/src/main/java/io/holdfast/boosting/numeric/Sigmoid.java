package io.holdfast.boosting.numeric;

/** The logistic function σ and its integral, without overflow or cancellation. Stateless. */
public final class Sigmoid {
  private Sigmoid() {}

  /** σ(x) = 1 / (1 + e^−x). The complement is {@code of(-x)}, to full relative accuracy. */
  public static double of(double x) {
    double odds = StrictMath.exp(-Math.abs(x));
    return (x >= 0 ? 1 : odds) / (1 + odds);
  }

  /** σ'(x) = σ(x) σ(−x). */
  public static double slope(double x) {
    double odds = StrictMath.exp(-Math.abs(x));
    return odds / ((1 + odds) * (1 + odds));
  }

  /** σ(x) − σ(y), to nearly full relative accuracy when x is near y or both are far out. */
  public static double difference(double x, double y) {
    if (x < y) {
      return -difference(y, x);
    }
    return x == y ? 0 : -of(x) * of(-y) * StrictMath.expm1(y - x);
  }

  /** log(1 + e^x) = −log σ(−x), called softplus. */
  public static double logOnePlusExp(double x) {
    return Math.max(x, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(x)));
  }

  /** −log(1 − e^−x) for x above 0. */
  public static double minusLogOneMinusExp(double x) {
    // Each of the two forms is accurate on its side of log 2.
    return x > 0.6931471805599453
        ? -StrictMath.log1p(-StrictMath.exp(-x))
        : -StrictMath.log(-StrictMath.expm1(-x));
  }
}
