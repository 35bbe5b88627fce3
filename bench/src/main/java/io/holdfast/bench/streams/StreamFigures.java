package io.holdfast.bench.streams;

/**
 * What a learner did on a stream. Of a figure that the stream does not have, NaN. Immutable.
 *
 * @param accuracy share of rows whose class was predicted
 * @param kappa Cohen's: accuracy above that of a guess by the marginals, of what there is above it
 * @param kappaM the same above the majority class, given labels as late
 * @param kappaTemporal the same above the newest label, given labels as late
 * @param rmse root of the mean squared error
 * @param mae mean absolute error
 * @param r2 1 minus the squared errors over those of the mean of all labels
 * @param threadSeconds CPU time of the learner's thread, for predicting and learning
 * @param processSeconds CPU time of the whole process meanwhile: that thread, the garbage
 *     collector, the compiler
 */
record StreamFigures(
    double accuracy,
    double kappa,
    double kappaM,
    double kappaTemporal,
    double rmse,
    double mae,
    double r2,
    double threadSeconds,
    double processSeconds) {

  /** What stands for the first place: the accuracy, or minus the root of the squared error. */
  double merit() {
    return Double.isNaN(accuracy) ? -rmse : accuracy;
  }
}
