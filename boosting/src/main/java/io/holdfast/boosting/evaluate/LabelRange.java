package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.numeric.Check;
import org.jspecify.annotations.Nullable;

/**
 * The range of the labels that have come, and which predictions are far beyond it: further from its
 * nearer end than it is wide. Thread-safe.
 */
public final class LabelRange {
  private final long fewest;
  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;
  private long labels;
  private volatile @Nullable Bounds bounds; // null while the labels say little

  /**
   * Where labels lie, and what is not far from them.
   *
   * @param least the least label
   * @param greatest the greatest label
   */
  public record Bounds(double least, double greatest) {
    boolean isFar(double predicted) {
      double width = greatest - least;
      return !(predicted >= least - width && predicted <= greatest + width);
    }
  }

  /**
   * Without any label yet.
   *
   * @param fewest fewer labels say little about how far the next ones go
   */
  public LabelRange(long fewest) {
    Check.that(fewest >= 1, "fewest must be 1 or more: %s", fewest);
    this.fewest = fewest;
  }

  /** The next label arrives. */
  public synchronized void arrive(double label) {
    labels++;
    boolean wider = label < least || label > greatest;
    if (wider) {
      least = Math.min(least, label);
      greatest = Math.max(greatest, label);
    }
    if (labels >= fewest && greatest > least && (wider || labels == fewest)) {
      bounds = new Bounds(least, greatest);
    }
  }

  /** Whether a prediction is far beyond all of them; never, while they are few or all the same. */
  public boolean farBeyond(double predicted) {
    Bounds now = bounds;
    return now != null && now.isFar(predicted);
  }

  /** Where they lie; null while they are few or all the same. */
  public @Nullable Bounds bounds() {
    return bounds;
  }
}
