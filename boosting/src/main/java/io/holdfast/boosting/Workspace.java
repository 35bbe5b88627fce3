package io.holdfast.boosting;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.CategoryTargets;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The large arrays of training, recycled from one window to the next: give each {@link Booster} the
 * same one. Owned by one thread at a time; it changes no result.
 */
public final class Workspace {
  private final Buffers buffers = new Buffers();
  private final boolean remembersRows;
  private final Buffers buffersOfBinned = new Buffers(); // recycled for other rows only
  private WeakReference<@Nullable Rows> rows = new WeakReference<>(null);
  private List<Feature> features = List.of();
  private int maxBins;
  private @Nullable BinnedRows binned;

  /** One that takes the rows of each run for new ones. */
  public Workspace() {
    this(false);
  }

  private Workspace(boolean remembersRows) {
    this.remembersRows = remembersRows;
  }

  /** One that remembers the bins of the last run, for other runs on the same {@link Rows}. */
  public static Workspace rememberingRows() {
    return new Workspace(true);
  }

  /** Recycles the arrays of the last run. */
  void begin() {
    buffers.recycle();
  }

  Buffers buffers() {
    return buffers;
  }

  /** As {@link BinnedRows#of}; they hold for the present run. */
  BinnedRows binned(
      Rows rows,
      List<Feature> features,
      int maxBins,
      @Nullable KeptBins kept,
      Supplier<CategoryTargets> targets) {
    if (!remembersRows || kept != null) {
      return BinnedRows.of(rows, features, maxBins, buffers, kept, targets);
    }
    BinnedRows known = binned;
    if (known == null
        || this.rows.get() != rows
        || this.maxBins != maxBins
        || !this.features.equals(features)) {
      binned = null; // its arrays are about to be overwritten
      buffersOfBinned.recycle();
      known = BinnedRows.of(rows, features, maxBins, buffersOfBinned, null, targets);
      if (known.grouped()) {
        return known; // by targets, which are another run's next time
      }
      this.rows = new WeakReference<>(rows);
      this.features = List.copyOf(features);
      this.maxBins = maxBins;
      binned = known;
    }
    return known;
  }
}
