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
}
