package io.holdfast.boosting.tree;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.data.BinnedRows;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The best split of each leaf of a tree being grown: histograms, and the search in them. Owned by
 * the growing thread, which it may give helpers; to be closed.
 */
final class SplitFinder implements AutoCloseable {
  /*
   * Of two children the smaller one's histogram is built (the left if equal), and taken away from
   * the parent's to give the other's. Histograms are recycled; at most one a leaf is alive.
   *
   * All of that is done column by column, so columns are what threads share out. Each worker keeps
   * the best split of its columns; the best of those is the best of all, of equal gains the lower
   * column's, whoever had looked at it.
   */
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final long WORTH_SHARING = 50_000; // additions: some 50 µs, against 10 of waking
  private static final long CELL = 4; // additions that a channel of a cell costs, searched twice

  private final BinnedRows binned;
  private final Channels channels;
  private final @Nullable AnchorCoupling coupling;
  private final double[] factors; // of the coupling
  private final ColumnWorkers workers;
  private final SplitSearch[] first; // one a worker
  private final SplitSearch[] second;
  private final Deque<Histogram> free = new ArrayDeque<>();
  private int[] columns = {};

  SplitFinder(BinnedRows binned, GrowthSettings settings) {
    this.binned = binned;
    coupling =
        settings.coupling() != null && settings.coupling().strength() != 0
            ? settings.coupling()
            : null;
    factors = new double[coupling == null ? 0 : coupling.groups()];
    long sums = coupling != null ? 1L + coupling.groups() : 2L * settings.outputs();
    checkSize("bins of all features", binned.cells(), sums);
    checkSize("rows", binned.rows(), coupling != null ? 2 : sums);
    if (coupling != null) {
      channels = new GroupChannels(coupling);
    } else if (settings.outputs() == 1) {
      channels = new ScalarChannels(binned.rows());
    } else {
      channels = new VectorChannels(settings.outputs(), binned.rows());
    }
    workers = new ColumnWorkers(Math.min(settings.threads(), Math.max(1, binned.columns())));
    first = new SplitSearch[workers.count()];
    second = new SplitSearch[workers.count()];
    for (int worker = 0; worker < first.length; worker++) {
      first[worker] = new SplitSearch(binned, settings, gains(settings), channels.count());
      second[worker] = new SplitSearch(binned, settings, gains(settings), channels.count());
    }
  }

  private static void checkSize(String things, int count, long sums) {
    Check.that(
        count * sums <= LARGEST_ARRAY,
        "%s times sums of each must be at most %s: %s times %s",
        things,
        LARGEST_ARRAY,
        count,
        sums);
  }

  private SplitGain gains(GrowthSettings settings) {
    if (coupling != null) {
      return new CoupledGain(settings.penalties(), factors);
    }
    return settings.outputs() == 1
        ? new ScalarGain(settings.penalties())
        : new VectorGain(settings.penalties(), settings.outputs());
  }

  /**
   * Turns to the next tree; returns the sums over its rows.
   *
   * @param sample the rows that splits are to be found for
   * @param treeColumns the columns that may be split, ascending
   */
  Totals start(double[] gradients, double[] hessians, int[] sample, int[] treeColumns) {
    columns = treeColumns;
    channels.derivatives(gradients, hessians);
    if (coupling != null) {
      coupling.factors(sample, factors);
    }
    return channels.totals(sample, sample.length);
  }

  /** Finds the best split of the root. */
  void searchRoot(Leaf root, int[] rows) {
    Histogram histogram = newHistogram();
    root.histogram = histogram;
    searchBoth(root, null, histogram, rows, true);
  }

  /**
   * Finds the best splits of two children.
   *
   * @param parent the histogram of both, which is used up
   * @param searchSmaller whether the child of fewer rows may be split at all
   */
  void searchChildren(
      Leaf smaller,
      Leaf larger,
      Histogram parent,
      boolean searchSmaller,
      boolean searchLarger,
      int[] rows) {
    if (!searchSmaller && !searchLarger) {
      free.push(parent);
      return;
    }
    smaller.histogram = newHistogram();
    larger.histogram = parent;
    searchBoth(smaller, searchLarger ? larger : null, smaller.histogram, rows, searchSmaller);
    releaseIfDone(smaller);
    releaseIfDone(larger);
  }

  /**
   * Builds the histogram of {@code built}, and searches it if asked to; {@code other}, if any,
   * holds the histogram of both, from which that one is taken away before it is searched.
   */
  private void searchBoth(
      Leaf built, @Nullable Leaf other, Histogram histogram, int[] rows, boolean searchBuilt) {
    channels.gather(rows, built.from, built.to);
    Histogram rest = other == null ? null : other.histogram;
    for (int worker = 0; worker < workers.count(); worker++) {
      first[worker].enter(built, histogram);
      if (other != null && rest != null) {
        second[worker].enter(other, rest);
      }
    }
    long additions =
        (long) built.size() * columns.length + CELL * channels.count() * binned.cells();
    workers.run(
        columns,
        additions >= WORTH_SHARING,
        (worker, column) -> {
          int firstCell = binned.firstCell(column);
          int endCell = binned.firstCell(column + 1);
          histogram.clear(firstCell, endCell);
          channels.accumulate(
              binned.column(column), firstCell, rows, built.from, built.to, histogram);
          if (rest != null) {
            rest.subtract(histogram, firstCell, endCell);
            second[worker].search(column);
          }
          if (searchBuilt) {
            first[worker].search(column);
          }
        });
    if (searchBuilt) {
      built.best = best(first);
    }
    if (other != null) {
      other.best = best(second);
    }
  }

  private static Split best(SplitSearch[] searches) {
    Split best = Split.NONE;
    for (SplitSearch search : searches) {
      Split split = search.best();
      if (split.beats(best)) {
        best = split;
      }
    }
    return best;
  }

  void release(Leaf leaf) {
    if (leaf.histogram != null) {
      free.push(leaf.histogram);
      leaf.histogram = null;
    }
  }

  @Override
  public void close() {
    workers.close();
  }

  private void releaseIfDone(Leaf leaf) {
    if (!leaf.best.exists()) {
      release(leaf);
    }
  }

  private Histogram newHistogram() {
    return free.isEmpty() ? new Histogram(binned.cells(), channels.count()) : free.pop();
  }
}
