package io.holdfast.boosting;

import io.holdfast.boosting.objective.Objective;

/**
 * Everything that determines training, beside the rows.
 *
 * @param objective the loss
 * @param gamma anchor strength, 0 or more; 1 is plain boosting
 * @param rounds trees to append
 * @param learningRate what each Newton step is multiplied by, in (0, 1]
 * @param trees how far a tree may grow
 * @param lambda ridge penalty on leaf values, 0 or more
 * @param maxBins bins a feature at most, missing values not counted, 2 to 65535
 * @param seed of everything random; recorded in the version
 */
public record BoosterSettings(
    Objective objective,
    double gamma,
    int rounds,
    double learningRate,
    TreeLimits trees,
    double lambda,
    int maxBins,
    long seed) {
  public BoosterSettings {
    Check.that(
        gamma >= 0 && gamma < Double.POSITIVE_INFINITY,
        "gamma must be 0 or more and finite: %s",
        gamma);
    Check.that(rounds >= 1, "rounds must be at least 1: %s", rounds);
    Check.that(
        learningRate > 0 && learningRate <= 1,
        "learningRate must be above 0 and at most 1: %s",
        learningRate);
    Check.that(
        lambda >= 0 && lambda < Double.POSITIVE_INFINITY,
        "lambda must be 0 or more and finite: %s",
        lambda);
    Check.that(maxBins >= 2 && maxBins <= 65535, "maxBins must be 2 to 65535: %s", maxBins);
  }
}
