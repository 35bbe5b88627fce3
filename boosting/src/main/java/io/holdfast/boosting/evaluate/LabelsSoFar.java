package io.holdfast.boosting.evaluate;

import java.util.Arrays;

/**
 * Baselines of streams that use no features, only the labels that have arrived: the last one, the
 * commonest, their mean. Owned by one thread.
 */
public final class LabelsSoFar {
  private long[] counts = new long[2];
  private final boolean classes;
  private long labels;
  private double last;
  private double commonest;
  private long commonestCount;
  private double mean;

  /** Of classes 0, 1, ..., or of real labels; all predictions are 0 before the first. */
  public LabelsSoFar(boolean classes) {
    this.classes = classes;
  }

  /** The next label arrives. */
  public void arrive(double label) {
    last = label;
    labels++;
    mean += (label - mean) / labels;
    if (classes) { // real labels may all differ: they are not counted
      int at = (int) label;
      if (at >= counts.length) {
        counts = Arrays.copyOf(counts, Math.max(at + 1, 2 * counts.length));
      }
      long count = ++counts[at];
      if (count > commonestCount || (count == commonestCount && label < commonest)) {
        commonest = label;
        commonestCount = count;
      }
    }
  }

  /** The newest label: the no-change prediction. */
  public double last() {
    return last;
  }

  /** The commonest class, the lower of two that are equally common. */
  public double commonest() {
    return commonest;
  }

  /** The mean label. */
  public double mean() {
    return mean;
  }
}
