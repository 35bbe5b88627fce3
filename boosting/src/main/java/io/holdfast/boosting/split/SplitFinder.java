package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.histogram.AnchorCoupling.AnchorChannels;
import io.holdfast.boosting.histogram.Channels;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.JointColumns;
import io.holdfast.boosting.histogram.OutputChannels;
import io.holdfast.boosting.histogram.QuantisedHistograms;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.ScalarChannels;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.split.SplitGain.MultiOutputGain;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The best split of each leaf of a tree being grown: histograms, and the search in them. Owned by
 * the growing thread; to be closed.
 */
public final class SplitFinder implements AutoCloseable {
  /*
   * Of two children the smaller one's histogram is built (the left if equal), and taken away from
   * the parent's to give the other's. Histograms are recycled; at most one a leaf is alive.
   *
   * All of that is done by columns, so columns are what threads share out. Each worker keeps the
   * best split of its columns; the best of those is the best of all, of equal gains the lower
   * column's, whoever had looked at it. Sums are whole numbers: no order of adding changes them.
   *
   * A tree grows by the packed kernel where its columns, leaves and derivatives allow that, and by
   * channels otherwise: a function of the rows and settings alone. The packed kernel rounds derivatives
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
  private final @Nullable HistogramSplits packed;
  private final Deque<long[]> free = new ArrayDeque<>();
  private @Nullable GeneralSplits channels;
  private HistogramSplits kernel;

  public SplitFinder(
      BinnedRows binned,
      SplitSettings settings,
      Buffers buffers,
      Workers workers,
      boolean packing) {
    this.workers = workers;
    this.buffers = buffers;
    this.binned = binned;
    this.settings = settings;
    coupling =
        settings.coupling() != null && settings.coupling().strength() != 0
            ? settings.coupling()
            : null;
    factors = new double[coupling == null ? 0 : coupling.groups()];
    int sums = coupling != null ? 1 + coupling.groups() : 2 * settings.outputs();
    GeneralSplits.checkSize(binned, sums, coupling != null ? 2 : sums);
    searches = new Searches(binned, settings, this::gain, sums, workers.count());
    packed = packing && settings.outputs() == 1 && coupling == null ? packedKernel() : null;
    kernel = packed != null ? packed : channelKernel();
  }

  private @Nullable HistogramSplits packedKernel() {
    QuantisedHistograms histograms = QuantisedHistograms.of(binned, workers, buffers);
    return histograms == null ? null : new QuantisedSplits(binned, settings, histograms, searches);
  }

  private SplitGain gain() {
    if (coupling != null) {
      return new AnchoredGain(settings.penalties(), factors);
    }
    return settings.outputs() == 1
        ? new ScalarGain(settings.penalties())
        : new MultiOutputGain(settings.penalties(), settings.outputs());
  }

  private GeneralSplits channelKernel() {
    if (channels == null) {
      Channels kind;
      if (coupling != null) {
        kind = new AnchorChannels(coupling, buffers);
      } else if (settings.outputs() == 1) {
        kind = new ScalarChannels(binned.rows(), buffers);
      } else {
        kind = new OutputChannels(settings.outputs(), binned.rows(), buffers);
      }
      boolean several = settings.outputs() > 1; // else a row is added faster than a cell
      JointColumns joint = several ? JointColumns.of(binned) : JointColumns.single(binned);
      channels = new GeneralSplits(binned, kind, searches, joint);
    }
    return channels;
  }

  /**
   * Turns to the next tree; returns the sums over its rows.
   *
   * @param sample the rows that splits are to be found for
   * @param columns the columns that may be split, ascending
   */
  public Totals start(double[] gradients, double[] hessians, RowSample sample, int[] columns) {
    if (coupling != null) {
      coupling.factors(sample, factors);
    }
    if (packed != null) {
      Totals totals = packed.start(gradients, hessians, sample, columns);
      if (totals != null) {
        use(packed);
        return totals;
      }
    }
    GeneralSplits general = channelKernel();
    use(general);
    return general.start(gradients, hessians, sample, columns);
  }

  private void use(HistogramSplits next) {
    if (next != kernel) {
      free.clear(); // they have other cells
      kernel = next;
    }
  }

  /** Finds the best split of the root. */
  public void searchRoot(Leaf root, int[] rows) {
    long[] histogram = newHistogram();
    root.histogram = histogram;
    searchBoth(root, null, histogram, rows, true);
  }

  /**
   * Finds the best splits of two children.
   *
   * @param parent the histogram of both, which is used up
   * @param searchSmaller whether the child of fewer rows may be split at all
   */
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
      releaseIfDone(larger);
      return;
    }
    long[] histogram = newHistogram();
    smaller.histogram = histogram;
    searchBoth(smaller, searchLarger ? larger : null, histogram, rows, searchSmaller);
    releaseIfDone(smaller);
    releaseIfDone(larger);
  }

  /** Takes a few rows away from the histogram of both leaves, and searches the other one. */
  private void searchRest(Leaf few, Leaf other, long[] rest, int[] rows) {
    kernel.gatherFew(rows, few.from, few.to);
    kernel.enter(1, other);
    int[] tasks = kernel.tasks();
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
   * Builds the histogram of {@code built}, and searches it if asked to; {@code other}, if any,
   * holds the histogram of both, from which that one is taken away before it is searched.
   */
  private void searchBoth(
      Leaf built, @Nullable Leaf other, long[] histogram, int[] rows, boolean searchBuilt) {
    kernel.gather(rows, built.from, built.to, histogram);
    long[] rest = other == null ? null : other.histogram;
    kernel.enter(0, built);
    if (other != null) {
      kernel.enter(1, other);
    }
    int[] tasks = kernel.tasks();
    workers.run(
        tasks.length,
        kernel.work(built.size()) >= WORTH_SHARING,
        (worker, number) -> {
          int task = tasks[number];
          kernel.build(worker, task, rows, built.from, built.to, histogram);
          if (rest == null) {
            kernel.search(worker, 0, task, histogram);
          } else if (searchBuilt) {
            kernel.searchBoth(worker, task, histogram, rest);
          } else {
            kernel.subtract(task, histogram, rest);
            kernel.search(worker, 1, task, rest);
          }
        });
    if (searchBuilt) {
      kernel.conclude(0, built);
    }
    if (other != null) {
      kernel.conclude(1, other);
    }
  }

  public void release(Leaf leaf) {
    if (leaf.histogram != null) {
      free.push(leaf.histogram);
      leaf.histogram = null;
    }
  }

  @Override
  public void close() {
    if (packed != null) {
      packed.close();
    }
  }

  private void releaseIfDone(Leaf leaf) {
    if (!leaf.best.exists()) {
      release(leaf);
    }
  }

  private long[] newHistogram() {
    return free.isEmpty() ? buffers.longs(kernel.cells()) : free.pop();
  }

  /**
   * A split search for each worker and each of two leaves. Entered and asked for the best by the
   * growing thread.
   */
  static final class Searches {
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

  /** One leaf of the tree being grown. Owned by the growing thread. */
  public static final class Leaf {
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
}
