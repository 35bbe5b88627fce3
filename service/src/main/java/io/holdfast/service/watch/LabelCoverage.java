package io.holdfast.service.watch;

/**
 * How many of the scored records whose wait for a label is over had one, since the start.
 *
 * @param labelled those that made an example
 * @param unlabelled those that did not get a label
 */
public record LabelCoverage(long labelled, long unlabelled) {
  private static final long FEWEST = 100;

  /** The share; NaN before the first. */
  public double share() {
    return (double) labelled / (labelled + unlabelled);
  }

  /** Whether most lack one. */
  boolean isLow() {
    return unlabelled >= FEWEST && labelled < unlabelled;
  }
}
