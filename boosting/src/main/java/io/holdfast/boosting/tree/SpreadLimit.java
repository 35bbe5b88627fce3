package io.holdfast.boosting.tree;

/**
 * Brings bounds by {@link GroupContrasts} closer, by what the leaf's own groups can have to do with
 * a split. Turned to leaves by the growing thread, and read by others.
 */
final class SpreadLimit {
  /*
   * Contrasts know a part C' of the coupling. Of the rest this takes the direction of what they do not
   * tell of the leaf's own sums s_e: it pulls c_r = c_ll − c'_ll on the leaf, and by ρ_e on a hessian of
   * group e. With L', a', T', d' and c' of ContrastBound by C' alone, T = T' + c_r, r_e = s_{e,a}/s_e
   * and u = Σ ρ_e s_e r_e/c_r − a'/T' the bound by both is (G² + c²/d)/T of
   *
   *   c = c' T/T' − G c_r u,  d = d' T/T' + c_r T' u².
   *
   * Nothing was added up for u. The most of all u is P + G² c_r/(T T'), P = c'²/(d' T'), which is the
   * bound by contrasts alone. But no r_e is below 0 or above 1, so d'/T' is at least the variance of r
   * with the weights s_e, and u is a linear function of r that is 0 for equal ones: by Cauchy and
   * Schwarz u² ≤ χ² d'/T' with χ² = Σ s_e (ρ_e/c_r − (1 + pull'_e)/T')² + 2λ₂/T'², the penalty being two
   * groups more. Where the u of the most is further out,
   *
   *   c²/(dT) ≤ (T √P + |G| c_r χ)² / (T (T + c_r T' χ²)).
   *
   * In small leaves, whose sums by group hang on chance, most of what a bound was too wide by was this:
   * of 1,000 rows in 12 groups a fifth of the columns need not be looked at for it with squared error,
   * two fifths with logistic loss.
   */
  private static final double ROUNDING = 1e-9; // of scores
  private static final double WIDER = 1 + 1e-6; // than χ comes out, which is rounded
  private static final double LITTLE = 1e-6; // of T: a rest that is no more than rounding

  private final double price;

  // Of the leaf at hand.
  private double parentScore;
  private double known; // G²/T'
  private double coupled; // G²/T
  private double curvature; // T
  private double edge; // P from which on u is not at its limit
  private double limit; // |G| c_r χ
  private double denominator; // T (T + c_r T' χ²)

  SpreadLimit(double price) {
    this.price = price;
  }

  /**
   * Turns to a leaf.
   *
   * @param sums its gradient, and the hessian of each group
   * @param contrasts which have been turned to the leaf
   */
  void enter(double[] sums, CoupledGain gains, GroupContrasts contrasts, double lambda2) {
    double gradient = Math.abs(sums[0]);
    curvature = gains.coupledCurvature();
    double rest = gains.pullOfLeaf() - contrasts.square();
    double without = curvature - rest;
    if (!(rest > LITTLE * curvature)) {
      edge = Double.NEGATIVE_INFINITY;
      return;
    }
    double square = 2 * lambda2 / (without * without);
    for (int group = 1; group < sums.length; group++) {
      double told = contrasts.pull(group - 1);
      double apart = (gains.pull(group - 1) - told) / rest - (1 + told) / without;
      square += sums[group] * apart * apart;
    }
    double reach = Math.sqrt(square) * WIDER;
    parentScore = gains.parentScore();
    known = gradient * gradient / without;
    coupled = gradient * gradient / curvature;
    edge = gradient / (without * reach) * (gradient / (without * reach));
    limit = gradient * rest * reach;
    denominator = curvature * (curvature + rest * without * reach * reach);
  }

  /** What a split gains at most that gains so much at most by contrasts. */
  double of(double bound) {
    double plain = 2 * (bound + price) + parentScore - (1 - ROUNDING) * known; // P
    if (!(plain < edge)) {
      return bound;
    }
    double most = curvature * Math.sqrt(Math.max(0, plain)) + limit;
    double score = coupled + most * most / denominator;
    double closer = 0.5 * ((1 + 2 * ROUNDING) * score - (1 - 2 * ROUNDING) * parentScore) - price;
    return Math.min(bound, closer);
  }
}
