package io.holdfast.boosting.ada;

import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.numeric.Check;

/**
 * Everything that determines AdaBoost, beside the rows.
 *
 * @param rounds trees at most
 * @param maxDepth splits between root and leaf at most, 1 (stumps) to 16
 * @param criterion what splits are chosen by; {@link Criterion#ERROR} for stumps only
 * @param resample whether each round learns from rows drawn by weight, as many as there are, each
 *     counting the same, instead of from all rows by weight
 * @param seed of the draws
 * @param minRows rows in a leaf at least, 1 or more; rows are counted (if drawn, as often as they
 *     were), not weighed
 * @param maxBins bins a feature at most, missing values not counted, 2 to 65535
 */
public record AdaBoostSettings(
    int rounds,
    int maxDepth,
    Criterion criterion,
    boolean resample,
    long seed,
    int minRows,
    int maxBins) {
  public AdaBoostSettings {
    Check.that(rounds >= 1, "rounds must be at least 1: %s", rounds);
    Check.that(maxDepth >= 1 && maxDepth <= 16, "maxDepth must be 1 to 16: %s", maxDepth);
    Check.that(
        criterion == Criterion.GINI || maxDepth == 1,
        "maxDepth must be 1 where splits are chosen by error (by gini, trees may be deeper): %s",
        maxDepth);
    Check.that(minRows >= 1, "minRows must be at least 1: %s", minRows);
    Check.that(maxBins >= 2 && maxBins <= 65535, "maxBins must be 2 to 65535: %s", maxBins);
  }

  /** Stumps by Gini impurity, weighting, of at least 1 row a leaf, on 255 bins. */
  public static AdaBoostSettings stumps(int rounds) {
    return new AdaBoostSettings(rounds, 1, Criterion.GINI, false, 0, 1, 255);
  }

  public AdaBoostSettings withMaxDepth(int value) {
    return new AdaBoostSettings(rounds, value, criterion, resample, seed, minRows, maxBins);
  }

  public AdaBoostSettings withCriterion(Criterion value) {
    return new AdaBoostSettings(rounds, maxDepth, value, resample, seed, minRows, maxBins);
  }

  /** Rows drawn by weight, with this seed. */
  public AdaBoostSettings withResampling(long drawSeed) {
    return new AdaBoostSettings(rounds, maxDepth, criterion, true, drawSeed, minRows, maxBins);
  }

  public AdaBoostSettings withMinRows(int value) {
    return new AdaBoostSettings(rounds, maxDepth, criterion, resample, seed, value, maxBins);
  }
}
