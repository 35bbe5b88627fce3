package io.holdfast.boosting.objective;

/**
 * A loss, its first three derivatives in the raw score, and the curvature to grow trees on: the
 * caller's scratch, reused row by row.
 */
public final class Derivatives {
  /** Whether {@link #third} is asked for; if not, it is anything. */
  public final boolean withThird;

  /** L. */
  public double loss;

  /** dL/df. */
  public double first;

  /** d²L/df². */
  public double second;

  /** d³L/df³. */
  public double third;

  /** The curvature that trees grow on: see {@link ScalarObjective#growthCurvature}. */
  public double growth;

  public Derivatives(boolean withThird) {
    this.withThird = withThird;
  }
}
