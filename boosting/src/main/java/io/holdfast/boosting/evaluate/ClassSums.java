package io.holdfast.boosting.evaluate;

import java.util.SortedMap;

/** Counts of labels and predictions. Owned by one thread. */
final class ClassSums implements StreamSums.LabelSums {
  private final double[] labels;
  private final double[] predictions;
  private double right;
  private double rightWithoutChange;
  private double rightByMajority;
  private double distance;

  ClassSums(int classes) {
    labels = new double[classes];
    predictions = new double[classes];
  }

  @Override
  public void add(Tested row) {
    double weight = row.weight();
    labels[(int) row.label()] += weight;
    predictions[(int) row.predicted()] += weight;
    right += row.predicted() == row.label() ? weight : 0;
    rightWithoutChange += row.noChange() == row.label() ? weight : 0;
    rightByMajority += row.constant() == row.label() ? weight : 0;
    // Only classes with an order have a deviance, and only of them does a distance mean anything.
    distance +=
        Double.isNaN(row.deviance())
            ? Double.NaN
            : weight * Math.abs(row.predicted() - row.label());
  }

  @Override
  public void fade(double factor) {
    right *= factor;
    rightWithoutChange *= factor;
    rightByMajority *= factor;
    distance *= factor;
    for (int k = 0; k < labels.length; k++) {
      labels[k] *= factor;
      predictions[k] *= factor;
    }
  }

  @Override
  public void figures(double weight, SortedMap<String, Double> target) {
    double chance = 0;
    double commonest = 0;
    for (int k = 0; k < labels.length; k++) {
      chance += labels[k] / weight * (predictions[k] / weight);
      commonest = Math.max(commonest, labels[k] / weight);
    }
    double accuracy = right / weight;
    target.put("accuracy", accuracy);
    target.put("kappa", beyond(accuracy, chance));
    target.put("kappaM", beyond(accuracy, commonest));
    target.put("kappaTemporal", beyond(accuracy, rightWithoutChange / weight));
    target.put("noChangeAccuracy", rightWithoutChange / weight);
    target.put("majorityAccuracy", rightByMajority / weight);
    target.put("mae", distance / weight);
  }

  /** How much of what the baseline gets wrong is right; NaN where it gets all right. */
  private static double beyond(double accuracy, double baseline) {
    return baseline < 1 ? (accuracy - baseline) / (1 - baseline) : Double.NaN;
  }
}
