package io.holdfast.boosting.ada;

/**
 * That trees vote, as AdaBoost has them, in place of gradient boosting's Newton steps; rounds,
 * depth, leaves and bins come from the settings around it.
 *
 * @param criterion what splits are chosen by; {@link Criterion#ERROR} for stumps only
 * @param resample whether each round learns from rows drawn by weight instead of from all rows by
 *     weight
 */
public record AdaBoost(Criterion criterion, boolean resample) {
  /** By Gini impurity, from all rows by weight. */
  public static final AdaBoost DEFAULT = new AdaBoost(Criterion.GINI, false);

  /** What a split is chosen by. */
  public enum Criterion {
    /** The least weighted Gini impurity of the two sides; for trees of any depth. */
    GINI,

    /**
     * The least weight of rows on the two sides that are not of their side's heaviest class; for
     * stumps.
     */
    ERROR
  }
}
