package io.holdfast.boosting.linear;

import io.holdfast.boosting.numeric.Check;
import org.jspecify.annotations.Nullable;

/**
 * The linear function that a model starts from before its trees, penalised by {@code strength ·
 * (l1Ratio · ‖b‖₁ + (1 − l1Ratio)/2 · ‖b‖²)} (docs/math.md, "The linear base").
 *
 * @param strength λ, 0 or more
 * @param l1Ratio ρ, from 0 (ridge) to 1 (lasso)
 * @param chosenBy folds to choose the strength by; null if it is given
 */
public record LinearBase(double strength, double l1Ratio, @Nullable Folds chosenBy) {
  /** A base of a given strength. */
  public LinearBase(double strength, double l1Ratio) {
    this(strength, l1Ratio, null);
  }

  /** A base whose strength is chosen by folds; 1 where there are none. */
  public static LinearBase chosenBy(Folds folds, double l1Ratio) {
    return new LinearBase(1, l1Ratio, folds);
  }

  /** A ridge penalty. */
  public static LinearBase ridge(double strength) {
    return new LinearBase(strength, 0);
  }

  public LinearBase {
    Check.that(
        strength >= 0 && strength < Double.POSITIVE_INFINITY,
        "the strength of a linear base must be 0 or more and finite: %s",
        strength);
    Check.that(
        l1Ratio >= 0 && l1Ratio <= 1, "the l1Ratio of a linear base must be 0 to 1: %s", l1Ratio);
  }
}
