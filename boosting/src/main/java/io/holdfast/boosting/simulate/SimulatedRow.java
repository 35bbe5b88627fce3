package io.holdfast.boosting.simulate;

/**
 * The row that a {@link SimulatedStream} drew last; overwritten by the next draw. Owned by one
 * thread.
 */
public final class SimulatedRow {
  final double[] features;
  double label;
  int environment;

  SimulatedRow(int features) {
    this.features = new double[features];
  }

  /** The value of feature {@code k}: the number, or the code of its category. */
  public double feature(int k) {
    return features[k];
  }

  /** A copy of all features. */
  public double[] features() {
    return features.clone();
  }

  /** The class, 0, 1, ..., or the real response. */
  public double label() {
    return label;
  }

  /** The place of its environment in {@link SimulatedStream#environments()}. */
  public int environment() {
    return environment;
  }
}
