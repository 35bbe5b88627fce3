package io.holdfast.trainer.reason;

/** The share of a subgroup in both samples, on the half that is for measuring. */
record Shares(double before, double now) {
  /** A subgroup of more rows is none. */
  static final double MOST = 0.9;

  static Shares of(TwoSamples samples, boolean[] member) {
    double[] one = new double[member.length];
    for (int row = 0; row < one.length; row++) {
      one[row] = member[row] ? 1 : 0;
    }
    return new Shares(
        samples.mean(one, row -> !samples.searched(row) && !samples.now(row)).value(),
        samples.mean(one, row -> !samples.searched(row) && samples.now(row)).value());
  }
}
