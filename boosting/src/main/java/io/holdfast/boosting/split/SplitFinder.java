package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.histogram.AnchorCoupling.AnchorChannels;
import io.holdfast.boosting.histogram.Channels;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.JointColumns;
import io.holdfast.boosting.histogram.OutputChannels;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.ScalarChannels;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.split.SplitGain.MultiOutputGain;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The best split of each leaf of a tree being grown: histograms, and the search in them. Owned by
 * the growing thread; to be closed.
 */
public final class SplitFinder implements AutoCloseable {
  /*
   * Of two children the smaller one's histogram is built (the left if equal), and subtracted from
   * the parent's to give the other's. Histograms are recycled; at most one a leaf is alive.
   *
   * Threads share out columns. Each worker keeps the best split of its columns; the best of those is
   * the best of all, of equal gains the lower column's. Sums are whole numbers: the order of adding
   * does not change them.
   *
   * A tree grows by quantised gradients where its columns, leaves and derivatives allow that, and by
   * channels otherwise: a function of the rows and settings alone. Quantised gradients are rounded
   * more (QuantisedGradients says how much), which can change a split for one that gains about as much.
   */
  private static final long WORTH_SHARING = 15_000; // additions: some 6 µs

  private final BinnedRows binned;
  private final SplitSettings settings;
  private final Buffers buffers;
  private final @Nullable AnchorCoupling coupling;
  private final double[] factors; // of the coupling
  private final Workers workers;
  private final Searches searches;
  private final @Nullable HistogramSplits quantised;
  private @Nullable HistogramSplits general; // once it is needed
  private HistogramSplits kernel;
  private final Deque<long[]> free = new ArrayDeque<>();

  /** A finder that uses quantised gradients only if {@code quantising}. */
  public SplitFinder(
      BinnedRows binned,
      SplitSettings settings,
      Buffers buffers,
      Workers workers,
      boolean quantising) {
    this.workers = workers;
    this.buffers = buffers;
    this.binned = binned;
    this.settings = settings;
    AnchorCoupling given = settings.coupling();
    coupling = given != null && given.strength() != 0 ? given : null;
    factors = new double[coupling == null ? 0 : coupling.groups()];
    int sums = coupling != null ? 1 + coupling.groups() : 2 * settings.outputs();
    GeneralSplits.checkSize(binned, sums, coupling != null ? 2 : sums);
    searches = new Searches(binned, settings, this::gain, sums, workers.count());
    quantised =
        quantising && settings.outputs() == 1 && coupling == null
            ? QuantisedSplits.of(binned, settings, searches, workers, buffers)
            : null;
    kernel = quantised != null ? quantised : general();
  }

  private SplitGain gain() {
    if (coupling != null) {
      return new AnchoredGain(settings.penalties(), factors);
    }
    return settings.outputs() == 1
        ? new ScalarGain(settings.penalties())
        : new MultiOutputGain(settings.penalties(), settings.outputs());
  }

  private HistogramSplits general() {
    HistogramSplits known = general;
    if (known == null) {
      int outputs = settings.outputs();
      boolean several = outputs > 1; // else a row is added faster than a cell
      Channels channels =
          coupling != null
              ? new AnchorChannels(coupling, buffers)
              : several
                  ? new OutputChannels(outputs, binned.rows(), buffers)
                  : new ScalarChannels(binned.rows(), buffers);
      JointColumns joint = several ? JointColumns.of(binned) : JointColumns.single(binned);
      known = new GeneralSplits(binned, channels, searches, joint);
      general = known;
    }
    return known;
  }

  /**
   * Turns to the next tree, of these rows and ascending columns; returns the sums over its rows.
   */
  public Totals start(double[] gradients, double[] hessians, RowSample sample, int[] columns) {
    if (coupling != null) {
      coupling.factors(sample, factors);
    }
    HistogramSplits before = kernel;
    kernel = quantised != null ? quantised : general();
    Totals totals = kernel.start(gradients, hessians, sample, columns);
    if (totals == null) {
      kernel = general();
      totals = kernel.start(gradients, hessians, sample, columns);
    }
    if (kernel != before) {
      free.clear(); // they have other cells
    }
    return Objects.requireNonNull(totals);
  }

  /** Finds the best split of the root. */
  public void searchRoot(Leaf root, int[] rows) {
    search(root, null, rows, true);
  }

  /** Finds the best splits of two children; {@code parent}, the histogram of both, is used up. */
  public void searchChildren(
      Leaf smaller,
      Leaf larger,
      long @Nullable [] parent,
      boolean searchSmaller,
      boolean searchLarger,
      int[] rows) {
    if (parent == null) {
      return;
    }
    if (!searchSmaller && !searchLarger) {
      free.push(parent);
      return;
    }
    larger.histogram = parent;
    if (!searchSmaller && kernel.few(smaller.size())) {
      searchRest(smaller, larger, parent, rows);
    } else {
      search(smaller, searchLarger ? larger : null, rows, searchSmaller);
    }
    releaseIfDone(smaller);
    releaseIfDone(larger);
  }

  /** Subtracts a few rows from the histogram of both leaves, and searches the other leaf. */
  private void searchRest(Leaf few, Leaf other, long[] rest, int[] rows) {
    kernel.gatherFew(rows, few.from, few.to);
    kernel.enter(1, other);
    int[] tasks = kernel.tasks;
    workers.run(
        tasks.length,
        kernel.work(few.size()) >= WORTH_SHARING,
        (worker, number) -> {
          kernel.subtractFew(tasks[number], few.size(), rest);
          kernel.search(worker, 1, tasks[number], rest);
        });
    kernel.conclude(1, other);
  }

  /**
   * Builds the histogram of a leaf, and searches it if asked to; {@code other}, if any, holds the
   * histogram of both, from which that one is subtracted before it is searched.
   */
  private void search(Leaf built, @Nullable Leaf other, int[] rows, boolean searchBuilt) {
    long[] histogram = free.isEmpty() ? buffers.longs(kernel.cells()) : free.pop();
    built.histogram = histogram;
    kernel.gather(rows, built.from, built.to, histogram);
    long[] rest = other == null ? null : other.histogram;
    kernel.enter(0, built);
    if (other != null) {
      kernel.enter(1, other);
    }
    int[] tasks = kernel.tasks;
    workers.run(
        tasks.length,
        kernel.work(built.size()) >= WORTH_SHARING,
        (worker, number) -> {
          int task = tasks[number];
          kernel.build(worker, task, rows, built.from, built.to, histogram);
          if (rest != null) {
            kernel.subtract(task, histogram, rest);
            kernel.search(worker, 1, task, rest);
          }
          if (searchBuilt) {
            kernel.search(worker, 0, task, histogram);
          }
        });
    if (searchBuilt) {
      kernel.conclude(0, built);
    }
    if (other != null) {
      kernel.conclude(1, other);
    }
  }

  /** Recycles the histogram of a leaf. */
  public void release(Leaf leaf) {
    if (leaf.histogram != null) {
      free.push(leaf.histogram);
      leaf.histogram = null;
    }
  }

  private void releaseIfDone(Leaf leaf) {
    if (!leaf.best.exists()) {
      release(leaf);
    }
  }

  @Override
  public void close() {
    if (quantised != null) {
      quantised.close();
    }
  }

  /** A split search for each worker and each of two leaves. Used by the growing thread. */
  static final class Searches {
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
      searches = new SplitSearch[2][workers];
      for (SplitSearch[] ofPlace : searches) {
        Arrays.setAll(ofPlace, _ -> new SplitSearch(binned, settings, gains.get(), channels));
      }
    }

    /** Cells for the largest column, for each worker. */
    ColumnCells[] newColumnCells() {
      int bins = IntStream.range(0, binned.columns()).map(binned::bins).max().orElse(-1) + 1;
      ColumnCells[] cells = new ColumnCells[searches[0].length];
      Arrays.setAll(cells, _ -> new ColumnCells(bins, channels));
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
        best = split.beats(best) ? split : best;
      }
      return best;
    }
  }

  /** One leaf of the tree being grown. Owned by the growing thread. */
  public static final class Leaf {
    public int from; // its stretch of the rows that the structure is learned from
    public int to;
    public int restFrom; // its stretch of the other rows
    public int restTo;
    public int depth;
    public int parent = -1; // the node above; −1 for the root
    public double lower = Double.NEGATIVE_INFINITY; // bounds of the leaf's step
    public double upper = Double.POSITIVE_INFINITY;
    public Totals totals = Totals.ZERO;
    public boolean @Nullable [] only; // by column: whether it may split this leaf; null for all
    public Split best = Split.NONE;
    public long @Nullable [] histogram; // only while it may be split

    public int size() {
      return to - from;
    }
  }
}
