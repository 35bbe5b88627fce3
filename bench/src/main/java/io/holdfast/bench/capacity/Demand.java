package io.holdfast.bench.capacity;

/**
 * What is to be run. The largest model has the greatest share of the records, the k-th of them one
 * that falls as k to the power of {@code skew}.
 *
 * @param records a second, of all models
 * @param models how many
 * @param partitions of the topics of records, shared out as the records are; each model has one at
 *     least
 * @param skew 0: all models are alike
 * @param labelled the share of records whose labels come, from 0 to 1
 * @param windowRows rows of a window
 */
record Demand(
    double records, int models, int partitions, double skew, double labelled, int windowRows) {

  /** Records a second of each model, the largest first. */
  double[] rates() {
    double[] rates = new double[models];
    double sum = 0;
    for (int k = 0; k < models; k++) {
      rates[k] = Math.pow(k + 1, -skew);
      sum += rates[k];
    }
    for (int k = 0; k < models; k++) {
      rates[k] *= records / sum;
    }
    return rates;
  }

  /** Partitions of each model's topic of records. */
  int[] shares(double[] rates) {
    int[] shares = new int[models];
    for (int k = 0; k < models; k++) {
      shares[k] = (int) Math.max(1, Math.round(partitions * rates[k] / records));
    }
    return shares;
  }
}
