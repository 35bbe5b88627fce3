package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * How histograms are laid out, built and searched. Work is shared out in tasks, which different
 * threads may do: those of one histogram touch none of each other's cells.
 */
sealed interface HistogramSplits extends AutoCloseable permits GeneralSplits, QuantisedSplits {

  /**
   * Turns to the next tree; returns the sums over its rows, or null if their derivatives are not
   * for this kernel.
   */
  @Nullable Totals start(
      double[] gradients, double[] hessians, RowSample sample, int[] treeColumns);

  /** How many longs a histogram has. */
  int cells();

  /** The numbers of the tasks that a histogram is, ascending: a lower one has lower columns. */
  int[] tasks();

  /** About how many additions it takes to build a histogram of so many rows, and to search it. */
  long work(int rows);

  /**
   * Lays out {@code rows[from, to)}, before a histogram of that stretch is built; or does already
   * what goes row by row.
   *
   * @param histogram the one that will be built, whose cells may be written to
   */
  void gather(int[] rows, int from, int to, long[] histogram);

  /** Writes a task's part of the histogram of the stretch that was gathered last. */
  void build(int worker, int task, int[] rows, int from, int to, long[] histogram);

  /** Takes a task's part of {@code part} away: what is left is the histogram of the other rows. */
  void subtract(int task, long[] part, long[] histogram);

  /** Whether so few rows are sooner taken away one by one than by a histogram of theirs. */
  default boolean few(int rows) {
    return false;
  }

  /** Lays out {@code rows[from, to)}, which are few and are to be taken away. */
  default void gatherFew(int[] rows, int from, int to) {}

  /** Takes so many rows, which were gathered last, away from a task's part of a histogram. */
  default void subtractFew(int task, int count, long[] histogram) {}

  /**
   * Turns to a leaf.
   *
   * @param place 0 or 1: two leaves may be searched at a time
   */
  void enter(int place, Leaf leaf);

  /** Searches a task's part of the histogram of the leaf at that place. */
  void search(int worker, int place, int task, long[] histogram);

  /**
   * Takes a task's part of {@code part} away from {@code rest}, and searches both: the leaf of
   * place 0 in the one, that of place 1 in the other.
   */
  default void searchBoth(int worker, int task, long[] part, long[] rest) {
    subtract(task, part, rest);
    search(worker, 1, task, rest);
    search(worker, 0, task, part);
  }

  /** Ends the search of the leaf at that place: the leaf gets its best split. */
  void conclude(int place, Leaf leaf);

  @Override
  void close();
}
