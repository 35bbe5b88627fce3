package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import io.holdfast.boosting.split.SplitFinder.Searches;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How histograms are laid out, built and searched, in tasks of neighbouring columns. Threads may do
 * different tasks of one histogram.
 */
abstract sealed class HistogramSplits permits GeneralSplits, QuantisedSplits {
  final BinnedRows binned;
  final Searches searches;
  final ColumnCells[] columnCells; // one a worker
  final boolean[] chosen; // by column: whether the tree at hand may split it
  int[] tasks = {}; // of a histogram, ascending: a lower one has lower columns

  HistogramSplits(BinnedRows binned, Searches searches) {
    this.binned = binned;
    this.searches = searches;
    columnCells = searches.newColumnCells();
    chosen = new boolean[binned.columns()];
  }

  /** Turns to the next tree; returns the sums over its rows, or null if these cannot be used. */
  abstract @Nullable Totals start(
      double[] gradients, double[] hessians, RowSample sample, int[] treeColumns);

  /**
   * Sets the columns that may be split, and the tasks that have some of them.
   *
   * @param first the first column of a task; of {@code count}, how many columns there are
   */
  final void choose(int[] treeColumns, int count, IntUnaryOperator first) {
    Arrays.fill(chosen, false);
    for (int column : treeColumns) {
      chosen[column] = true;
    }
    tasks = IntStream.range(0, count).filter(task -> any(first, task)).toArray();
  }

  private boolean any(IntUnaryOperator first, int task) {
    boolean any = false;
    for (int column = first.applyAsInt(task); column < first.applyAsInt(task + 1); column++) {
      any |= chosen[column];
    }
    return any;
  }

  /** The longs of a histogram. */
  abstract int cells();

  /** The first cell of a task; of the one after the last, how many cells there are. */
  abstract int firstCell(int task);

  /** About how many additions it takes to build a histogram of so many rows, and to search it. */
  abstract long work(int rows);

  /** Lays out {@code rows[from, to)}, or adds up already what goes row by row. */
  abstract void gather(int[] rows, int from, int to, long[] histogram);

  /** Writes a task's part of the histogram of the stretch that was gathered last. */
  abstract void build(int worker, int task, int[] rows, int from, int to, long[] histogram);

  /** Subtracts a task's part of {@code part}: what is left is the histogram of the other rows. */
  final void subtract(int task, long[] part, long[] histogram) {
    int end = firstCell(task + 1);
    for (int k = firstCell(task); k < end; k++) {
      histogram[k] -= part[k];
    }
  }

  /** Whether so few rows are better subtracted one by one than by a histogram of theirs. */
  boolean few(int rows) {
    return false;
  }

  /** Lays out {@code rows[from, to)}, which are few, to be subtracted. */
  void gatherFew(int[] rows, int from, int to) {}

  /** Subtracts the few rows that were gathered last from a task's part of a histogram. */
  void subtractFew(int task, int count, long[] histogram) {}

  /** Turns to a leaf; two may be searched at a time, at places 0 and 1. */
  void enter(int place, Leaf leaf) {
    searches.enter(place, leaf);
  }

  /** Searches a task's part of the histogram of the leaf at that place. */
  abstract void search(int worker, int place, int task, long[] histogram);

  /** Ends the search of the leaf at that place: the leaf gets its best split. */
  void conclude(int place, Leaf leaf) {
    leaf.best = searches.best(place);
  }

  void close() {}
}
