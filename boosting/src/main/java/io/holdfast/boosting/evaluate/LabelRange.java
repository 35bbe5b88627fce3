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

  /** The least and the greatest label. */
  public record Bounds(double least, double greatest) {
    boolean isFar(double predicted) {
      double width = greatest - least;
      return !(predicted >= least - width && predicted <= greatest + width);
    }
  }

  /** Without any label yet; fewer than {@code fewest} say little about the next ones. */
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
