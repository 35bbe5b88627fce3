package io.holdfast.boosting.objective;

import java.util.stream.Stream;

/** An objective of each kind that has an anchored form, for laws that hold of all of them. */
public final class AnchorableObjectives {
  private AnchorableObjectives() {}

  /** Them, of one raw score and of several. */
  public static Stream<Objective> stream() {
    return Stream.of(
        new Squared(),
        new Huber(0.8),
        new Logistic(),
        new Probit(),
        new Exponential(),
        new Softmax(2),
        new Softmax(4),
        new Ordinal(4, OrdinalLink.LOGIT),
        new Ordinal(3, OrdinalLink.PROBIT),
        Beta.ofPrecision(6),
        new Gamma(),
        new Poisson(),
        new Tweedie(1.4));
  }
}
