package io.holdfast.boosting.tree;

import org.jspecify.annotations.Nullable;

/** One leaf of the tree being grown. Owned by the growing thread. */
final class Leaf {
  /** Its stretch of the rows that the structure is learned from. */
  int from;

  int to;

  /** Its stretch of the other rows. */
  int restFrom;

  int restTo;
  int depth;

  /** The node above; −1 for the root. */
  int parent = -1;

  /** What the leaf's step must be at least, and at most. */
  double lower = Double.NEGATIVE_INFINITY;

  double upper = Double.POSITIVE_INFINITY;
  Totals totals = Totals.ZERO;
  Split best = Split.NONE;

  /** Only while it may be split. */
  long @Nullable [] histogram;

  int size() {
    return to - from;
  }
}
