package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.MillsRatio;
import io.holdfast.boosting.numeric.NormalInterval;
import io.holdfast.boosting.numeric.Sigmoid;

/**
 * The distribution function F of an ordinal objective: P(z ≤ k) = F(θ_k − f). An interval (lower,
 * upper) = (a, b) is that of a label's two thresholds less the score, −∞ for the first label and ∞
 * for the last; {@code gap} is its width as the thresholds give it.
 */
public enum OrdinalLink {
  /** The logistic distribution: F = σ. */
  LOGIT {
    /*
     * σ(b) − σ(a) = σ(b) σ(−a) (1 − e^−d), so the loss is a sum of three terms of one sign and its
     * derivatives separate.
     */
    @Override
    double loss(double lower, double upper, double gap) {
      return Sigmoid.minusLogOneMinusExp(gap)
          + Sigmoid.logOnePlusExp(-upper)
          + Sigmoid.logOnePlusExp(lower);
    }

    @Override
    OrdinalTerms terms(double lower, double upper, double gap) {
      double atLower = Sigmoid.slope(lower);
      double atUpper = Sigmoid.slope(upper);
      double grown = StrictMath.expm1(gap);
      return new OrdinalTerms(
          Sigmoid.difference(-upper, lower),
          atUpper + atLower,
          atUpper * StrictMath.tanh(0.5 * upper) + atLower * StrictMath.tanh(0.5 * lower),
          Sigmoid.of(lower) + 1 / grown,
          -Sigmoid.of(-upper) - 1 / grown,
          atUpper,
          atUpper - 1 / (grown * StrictMath.expm1(-gap)));
    }

    @Override
    double quantile(double part, double rest) {
      return StrictMath.log(part / rest);
    }
  },

  /** The normal distribution: F = Φ. */
  PROBIT {
    @Override
    double loss(double lower, double upper, double gap) {
      return interval(lower, upper, gap).minusLogMass();
    }

    @Override
    OrdinalTerms terms(double lower, double upper, double gap) {
      NormalInterval z = interval(lower, upper, gap);
      boolean last = upper == Double.POSITIVE_INFINITY;
      return new OrdinalTerms(
          -z.mean(),
          z.varianceLost(),
          -z.thirdMoment(),
          z.lowerDensity(),
          -z.upperDensity(),
          last ? 0 : z.upperDensity() * (upper - z.mean()),
          last ? 0 : z.upperDensity() * (z.upperDensity() + upper));
    }

    @Override
    double quantile(double part, double rest) {
      return MillsRatio.quantile(part, rest);
    }

    private static NormalInterval interval(double lower, double upper, double gap) {
      if (lower == Double.NEGATIVE_INFINITY) {
        return NormalInterval.below(upper);
      }
      return upper == Double.POSITIVE_INFINITY
          ? NormalInterval.above(lower)
          : NormalInterval.of(lower, upper, gap);
    }
  };

  /** −log (F(b) − F(a)). */
  abstract double loss(double lower, double upper, double gap);

  abstract OrdinalTerms terms(double lower, double upper, double gap);

  /** F⁻¹(part / (part + rest)), both above 0. */
  abstract double quantile(double part, double rest);

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
}
