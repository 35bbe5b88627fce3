package io.holdfast.boosting.objective;

/** Loss and derivatives of one row in its raw score: the caller's scratch, reused row by row. */
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

  /**
   * The curvature that trees grow on, and that a step takes where {@link #second} is not safe: at
   * least 0, and above it wherever the gradient is not 0. It differs from {@link #second} only for
   * losses where that may be 0 or below.
   */
  public double growth;

  public Derivatives(boolean withThird) {
    this.withThird = withThird;
  }

  /** For a loss that trees can grow on the second derivative of. */
  void set(double loss, double first, double second, double third) {
    this.loss = loss;
    this.first = first;
    this.second = second;
    this.third = third;
    growth = second;
  }
}
