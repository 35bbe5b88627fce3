package io.holdfast.boosting.objective;

/**
 * The first three derivatives of a loss in the raw score, and the curvature to grow trees on: the
 * caller's scratch, reused row by row.
 */
public final class Derivatives {
  /** dL/df. */
  public double first;

  /** d²L/df². */
  public double second;

  /** d³L/df³. */
  public double third;

  /** The curvature that trees grow on: see {@link ScalarObjective#growthCurvature}. */
  public double growth;
}
