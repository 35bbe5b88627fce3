package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.numeric.Check;

/**
 * How much, and against what, training protects (docs/math.md, "The anchor objective"). Immutable.
 *
 * @param gamma anchor strength, 0 or more; 1 is plain boosting, above 1 protects against shifts
 *     along the anchor, below 1 discounts what goes along with it
 * @param design what the anchor is made of
 * @param splits whether splits, too, take the anchor into account (docs/math.md, "Splits")
 */
public record Anchoring(double gamma, AnchorDesign design, boolean splits) {
  /** No anchor: gamma is 1. */
  public static final Anchoring NONE = new Anchoring(1, new AnchorDesign.Environments(), false);

  /** Against shifts between environments. */
  public static Anchoring environments(double gamma) {
    return new Anchoring(gamma, new AnchorDesign.Environments(), false);
  }

  /** Against shifts along the rows' continuous anchors, centred. */
  public static Anchoring continuous(double gamma) {
    return new Anchoring(gamma, new AnchorDesign.Continuous(true), false);
  }

  /** Against shifts between environments and along continuous anchors. */
  public static Anchoring mixed(double gamma) {
    return new Anchoring(gamma, new AnchorDesign.Mixed(), false);
  }

  public Anchoring {
    Check.that(
        gamma >= 0 && gamma < Double.POSITIVE_INFINITY,
        "gamma must be 0 or more and finite: %s",
        gamma);
    Check.that(
        !splits || design instanceof AnchorDesign.Environments,
        "anchorSplits need environments alone as the anchor: %s",
        design);
  }

  public Anchoring withGamma(double value) {
    return new Anchoring(value, design, splits);
  }

  public Anchoring withSplits(boolean value) {
    return new Anchoring(gamma, design, value);
  }
}
