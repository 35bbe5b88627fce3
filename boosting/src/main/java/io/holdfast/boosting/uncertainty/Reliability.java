package io.holdfast.boosting.uncertainty;

import java.util.ArrayList;
import java.util.List;

/** Whether what was said to happen with a probability did so as often. Owned by one thread. */
public final class Reliability {
  private static final int BINS = 10;

  private final double[] rows = new double[BINS];
  private final double[] said = new double[BINS];
  private final double[] happened = new double[BINS];

  /** A tenth of the probabilities: how many rows, what they were said in the mean, what came. */
  public record Bin(double rows, double said, double happened) {}

  /** A row that was said to be of a class with this probability, and whether it was. */
  public void add(double probability, boolean came, double weight) {
    int bin = (int) Math.clamp(probability * BINS, 0, BINS - 1);
    rows[bin] += weight;
    said[bin] += weight * probability;
    happened[bin] += came ? weight : 0;
  }

  /** From the least to the greatest probability; those without rows are left out. */
  public List<Bin> bins() {
    List<Bin> bins = new ArrayList<>();
    for (int k = 0; k < BINS; k++) {
      if (rows[k] > 0) {
        bins.add(new Bin(rows[k], said[k] / rows[k], happened[k] / rows[k]));
      }
    }
    return bins;
  }

  /** How far the two are from each other in the mean over rows; NaN without any. */
  public double error() {
    double sum = 0;
    double error = 0;
    for (Bin bin : bins()) {
      sum += bin.rows;
      error += bin.rows * Math.abs(bin.said - bin.happened);
    }
    return error / sum;
  }
}
