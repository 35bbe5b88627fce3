package io.holdfast.boosting.objective;

/**
 * The derivatives of −log P, P = F(b) − F(a) being the probability of a label between the
 * thresholds θ_lo = a + f and θ_hi = b + f; d is the gap θ_hi − θ_lo.
 *
 * @param first dL/df
 * @param second d²L/df², which is also the curvature in a shift of both thresholds
 * @param third d³L/df³
 * @param lowerSlope dL/dθ_lo, at least 0
 * @param upperSlope dL/dθ_hi, at most 0; also the slope in d at fixed θ_lo
 * @param shiftAndGap ∂²L/∂θ_lo∂d
 * @param gapCurvature ∂²L/∂d² at fixed θ_lo
 */
record OrdinalTerms(
    double first,
    double second,
    double third,
    double lowerSlope,
    double upperSlope,
    double shiftAndGap,
    double gapCurvature) {}
