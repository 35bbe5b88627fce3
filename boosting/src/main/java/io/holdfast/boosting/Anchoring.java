package io.holdfast.boosting;

/**
 * How much, and against what, training protects.
 *
 * @param gamma anchor strength, 0 or more; 1 is plain boosting
 * @param design what the anchor is made of
 * @param splits whether splits are chosen for what they gain after the coupling of leaves by the
 *     anchor (docs/math.md, section 3), rather than before
 */
public record Anchoring(double gamma, AnchorDesign design, boolean splits) {
  /** No anchor: gamma is 1. */
  public static final Anchoring NONE = new Anchoring(1, new AnchorDesign.Environments(), false);

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
}
