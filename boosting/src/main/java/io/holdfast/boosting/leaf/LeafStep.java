package io.holdfast.boosting.leaf;

/** The solution of a leaf system. */
final class LeafStep {
  private final double[] values;
  private final boolean descent;

  LeafStep(double[] values, boolean descent) {
    this.values = values;
    this.descent = descent;
  }

  /** The step times {@code rate}: one value a leaf, not finite if the system is singular. */
  double[] times(double rate) {
    double[] scaled = new double[values.length];
    for (int leaf = 0; leaf < values.length; leaf++) {
      scaled[leaf] = rate * values[leaf];
    }
    return scaled;
  }

  /** Whether no value is further from 0 than this. */
  boolean within(double reach) {
    for (double value : values) {
      if (!(Math.abs(value) <= reach)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the system is positive definite, so that the step leads downhill. */
  boolean descent() {
    return descent;
  }
}
