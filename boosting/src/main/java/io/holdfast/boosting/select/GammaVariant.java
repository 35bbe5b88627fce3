package io.holdfast.boosting.select;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;

/**
 * A model's trees with the leaf values of one strength of the anchor. Immutable.
 *
 * @param gamma the strength, 0 or more
 * @param model of the same trees in the same segments
 */
public record GammaVariant(double gamma, Model model) {
  public GammaVariant {
    Check.that(
        gamma >= 0 && gamma < Double.POSITIVE_INFINITY,
        "the gamma of a rung must be 0 or more and finite: %s",
        gamma);
  }
}
