package io.holdfast.boosting.ada;

/** α, what a tree's vote counts (docs/math.md, "AdaBoost"). Stateless. */
final class Vote {
  /** Errors this close to that of guessing are as bad: the rest is rounding. */
  private static final double ROUNDING = 1e-10;

  private Vote() {}

  /** log((1 − error)/error) + log(classes − 1), for an error above 0 and below 1. */
  static double of(double error, int classes) {
    double odds = StrictMath.log1p(-error) - StrictMath.log(error);
    return classes == 2 ? odds : odds + StrictMath.log(classes - 1);
  }

  /**
   * The vote of a tree without error: as if half a row more had been there, of weight ½, and been
   * wrong. The error is then ½ of totalWeight + 1.
   *
   * @param totalWeight the rows' own weights, which count as rows
   */
  static double ofFaultless(double totalWeight, int classes) {
    return of(0.5 / (totalWeight + 1), classes);
  }

  /** Whether a tree of that error is no better than guessing a class. */
  static boolean worthless(double error, int classes) {
    return !(error < 1 - 1.0 / classes - ROUNDING);
  }
}
