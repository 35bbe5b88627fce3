package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Vectors.SimdMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model's trees laid out for blocks, and for single rows when the first comes. Thread-safe. */
final class TreeLayouts {
  /*
   * Training scores by blocks alone: layouts for single rows would be half of what it allocates.
   */
  final Columns columns;
  final SimdMode mode;
  final int trees;
  final @Nullable BitSlicedTrees sliced; // null if some tree has too many leaves
  private List<RankedTree> source; // empty once rows are laid out
  private volatile @Nullable ForRows forRows;

  /** The lanes are null without vectors, or if the model does not fit. */
  record ForRows(PackedTrees plain, @Nullable TreeLanes lanes) {}

  private TreeLayouts(ColumnsBuilder builder, List<RankedTree> source, SimdMode mode) {
    columns = new Columns(builder);
    this.source = source;
    this.mode = mode;
    trees = source.size();
    sliced = BitSlicedTrees.fits(columns, source) ? new BitSlicedTrees(columns, source) : null;
  }

  /** Null if the model is too large to lay out. */
  static @Nullable TreeLayouts of(Model model, SimdMode mode) {
    var builder = new ColumnsBuilder(model);
    List<RankedTree> trees = RankedTree.all(model, builder);
    return PackedTrees.fits(builder.columns, trees) ? new TreeLayouts(builder, trees, mode) : null;
  }

  ForRows forRows() {
    ForRows ready = forRows;
    return ready == null ? layOut() : ready;
  }

  private synchronized ForRows layOut() {
    ForRows ready = forRows;
    if (ready == null) {
      boolean fits = mode.mayBeVectors() && TreeLanes.fits(columns, source);
      TreeLanes lanes = fits ? new TreeLanes(columns, source) : null;
      ready = new ForRows(new PackedTrees(columns, source), lanes);
      forRows = ready;
      source = List.of();
    }
    return ready;
  }

  /** The layouts for single rows; null if there are none yet. */
  @Nullable ForRows forRowsIfReady() {
    return forRows;
  }

  long bytes() {
    long bytes = columns.bytes() + (sliced == null ? 0 : sliced.bytes());
    ForRows ready = forRows;
    if (ready != null) {
      bytes += ready.plain.bytes() + (ready.lanes == null ? 0 : ready.lanes.bytes());
    }
    return bytes;
  }
}
