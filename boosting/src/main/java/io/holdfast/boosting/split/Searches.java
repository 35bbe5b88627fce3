package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import java.util.function.Supplier;

/**
 * A split search for each worker and each of two leaves. Entered and asked for the best by the
 * growing thread.
 */
final class Searches {
  private static final int PLACES = 2;

  private final BinnedRows binned;
  private final int channels;
  private final SplitSearch[][] searches; // by place, by worker

  Searches(
      BinnedRows binned,
      SplitSettings settings,
      Supplier<SplitGain> gains,
      int channels,
      int workers) {
    this.binned = binned;
    this.channels = channels;
    searches = new SplitSearch[PLACES][workers];
    for (SplitSearch[] ofPlace : searches) {
      for (int worker = 0; worker < workers; worker++) {
        ofPlace[worker] = new SplitSearch(binned, settings, gains.get(), channels);
      }
    }
  }

  /** Cells for the largest column, for each worker. */
  ColumnCells[] newColumnCells() {
    int bins = 0;
    for (int column = 0; column < binned.columns(); column++) {
      bins = Math.max(bins, binned.bins(column) + 1);
    }
    ColumnCells[] cells = new ColumnCells[searches[0].length];
    for (int worker = 0; worker < cells.length; worker++) {
      cells[worker] = new ColumnCells(bins, channels);
    }
    return cells;
  }

  void enter(int place, Leaf leaf) {
    for (SplitSearch search : searches[place]) {
      search.enter(leaf);
    }
  }

  SplitSearch of(int worker, int place) {
    return searches[place][worker];
  }

  /** The best of all workers' splits, of equal gains the lower column's. */
  Split best(int place) {
    Split best = Split.NONE;
    for (SplitSearch search : searches[place]) {
      Split split = search.best();
      if (split.beats(best)) {
        best = split;
      }
    }
    return best;
  }
}
