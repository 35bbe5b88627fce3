package io.holdfast.cli.learn;

/**
 * The range of the labels that have come, and which predictions are far beyond it: further from its
 * nearer end than it is wide. Owned by one thread.
 */
final class LabelRange {
  /** Fewer labels say little about how far the next ones go. */
  static final int FEWEST = 100;

  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;
  private long labels;

  /** The next label arrives. */
  void arrive(double label) {
    least = Math.min(least, label);
    greatest = Math.max(greatest, label);
    labels++;
  }

  /** Whether a prediction is far beyond all of them; never, while they are few or all the same. */
  boolean farBeyond(double predicted) {
    double width = greatest - least;
    return labels >= FEWEST
        && width > 0
        && !(predicted >= least - width && predicted <= greatest + width);
  }
}
