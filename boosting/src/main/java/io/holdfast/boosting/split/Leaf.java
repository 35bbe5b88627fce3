package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Totals;
import org.jspecify.annotations.Nullable;

/** One leaf of the tree being grown. Owned by the growing thread. */
public final class Leaf {
  /** Its stretch of the rows that the structure is learned from. */
  public int from;

  public int to;

  /** Its stretch of the other rows. */
  public int restFrom;

  public int restTo;
  public int depth;

  /** The node above; −1 for the root. */
  public int parent = -1;

  /** What the leaf's step must be at least, and at most. */
  public double lower = Double.NEGATIVE_INFINITY;

  public double upper = Double.POSITIVE_INFINITY;
  public Totals totals = Totals.ZERO;
  public Split best = Split.NONE;

  /** Only while it may be split. */
  public long @Nullable [] histogram;

  public int size() {
    return to - from;
  }
}
