package io.holdfast.boosting.scoring;

import io.holdfast.boosting.scoring.Vectors.SimdMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model's trees laid out for single rows: made at once, or when the first single row comes.
 * Thread-safe.
 */
final class RowLayouts {
  /*
   * A window that is trained on scores the ensemble by blocks alone; layouts for single rows were half
   * of what it allocated after the first.
   */
  private final Columns columns;
  private List<RankedTree> trees; // none once they are laid out, which may serve for long
  private final SimdMode mode;
  private volatile @Nullable Laid laid;

  RowLayouts(Columns columns, List<RankedTree> trees, SimdMode mode) {
    this.columns = columns;
    this.trees = trees;
    this.mode = mode;
  }

  /**
   * @param plain without vectors
   * @param lanes null without vectors, or if the model does not fit
   */
  record Laid(PackedTrees plain, @Nullable TreeLanes lanes) {

    long bytes() {
      return plain.bytes() + (lanes == null ? 0 : lanes.bytes());
    }
  }

  Laid laid() {
    Laid ready = laid;
    return ready == null ? layOut() : ready;
  }

  /** Whether they are laid out. */
  boolean ready() {
    return laid != null;
  }

  /** Whether rows are scored by vectors once these are compiled. */
  boolean byVectors() {
    Laid ready = laid;
    return ready != null && ready.lanes() != null;
  }

  long bytes() {
    Laid ready = laid;
    return ready == null ? 0 : ready.bytes();
  }

  private synchronized Laid layOut() {
    Laid ready = laid;
    if (ready == null) {
      boolean side = mode.mayBeVectors() && TreeLanes.fits(columns, trees);
      ready = new Laid(new PackedTrees(trees), side ? new TreeLanes(columns, trees) : null);
      laid = ready;
      trees = List.of();
    }
    return ready;
  }
}
