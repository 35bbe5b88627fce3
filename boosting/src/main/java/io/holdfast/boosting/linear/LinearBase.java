package io.holdfast.boosting.linear;

import io.holdfast.boosting.numeric.Check;
import org.jspecify.annotations.Nullable;

/**
 * What a model starts from before its trees: a linear function, penalised by {@code strength ·
 * (l1Ratio · ‖b‖₁ + (1 − l1Ratio)/2 · ‖b‖²)} (docs/math.md, "The linear base"). Immutable.
 *
 * @param strength λ, 0 or more
 * @param l1Ratio ρ, from 0 (ridge) to 1 (lasso)
 * @param chosenBy what chooses another strength by cross-validation; null for nothing
 */
public record LinearBase(double strength, double l1Ratio, @Nullable Folds chosenBy) {
  /** A base of a given strength. */
  public LinearBase(double strength, double l1Ratio) {
    this(strength, l1Ratio, null);
  }

  /** A base whose strength is chosen; it is 1 where there is nothing to choose by. */
  public static LinearBase chosenBy(Folds folds, double l1Ratio) {
    return new LinearBase(1, l1Ratio, folds);
  }

  /** A ridge penalty: all coefficients small. */
  public static LinearBase ridge(double strength) {
    return new LinearBase(strength, 0);
  }

  /** A lasso penalty: few coefficients that are not 0. */
  public static LinearBase lasso(double strength) {
    return new LinearBase(strength, 1);
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
