package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.BinSums;
import io.holdfast.boosting.histogram.CellLayout;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.histogram.QuantisedGradients;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.VectorForms;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import io.holdfast.boosting.split.SplitFinder.Searches;
import io.holdfast.boosting.split.SplitScan.Result;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One value a leaf, columns of at most 256 bins, and a long a cell. A task is a plane of {@link
 * PackedBins}, whose columns are added up and scanned together.
 */
final class QuantisedSplits extends HistogramSplits {
  /*
   * Rows are added up block by block and plane by plane: a block's records stay in cache until its
   * planes are added up. Each worker adds up rows of its own; build() brings the sums together.
   *
   * Numeric columns without a direction are scanned in packed cells. Others, and all where a leaf
   * has bounds or λ₁ is above 0, are read into doubles and searched by SplitSearch, column by column.
   *
   * FEW rows of a leaf that is too small to be split are subtracted from its parent's sums one by one:
   * that costs less than a histogram of theirs.
   */
  private static final int FEW = 128; // rows
  private static final int FEWEST_ROWS = 512; // below, additions are not what takes the time
  private static final int FEWEST_SHARED = 1_024; // rows of a stretch: some 16 µs
  private static final int BLOCK_BYTES = 512 << 10; // of records: half of a core's cache
  private static final long CELL = 2; // additions that a cell costs, searched twice

  private final SplitSettings settings;
  private final PackedBins packed;
  private final Workers workers;
  private final QuantisedGradients derivatives;
  private final int block;
  private final int[] firstCell; // of each plane, and the end
  private final BinSums[] sums; // one a worker
  private final PackedBins.Gathered[] gathered; // a block of each worker's
  private final long[][] partial; // sums of each worker's but the first
  private final boolean[] begun; // by worker: whether there are any
  private final Result[][] results; // by worker, by place
  private final ScanLeaf[] leaves = {new ScanLeaf(), new ScanLeaf()};
  private SplitScan scan = SplitScan.FORM.current();
  private CellLayout layout = new CellLayout(1, 0, 1, 1); // of the tree at hand
  private boolean scanned; // whether scanning packed cells finds all splits that settings allow

  private QuantisedSplits(
      BinnedRows binned,
      SplitSettings settings,
      Searches searches,
      PackedBins packed,
      Workers workers,
      Buffers buffers) {
    super(binned, searches);
    this.settings = settings;
    this.packed = packed;
    this.workers = workers;
    derivatives = new QuantisedGradients(binned.rows(), buffers, workers);
    int fitting = BLOCK_BYTES / Long.BYTES / (packed.planes() + 1) / 512 * 512;
    block = Math.min(binned.rows(), Math.max(512, fitting));
    firstCell = new int[packed.planes() + 1];
    for (int plane = 0; plane < packed.planes(); plane++) {
      firstCell[plane + 1] = Math.addExact(firstCell[plane], packed.cells(plane));
    }
    int count = workers.count();
    sums = new BinSums[count];
    gathered = new PackedBins.Gathered[count];
    partial = new long[count][];
    begun = new boolean[count];
    results = new Result[count][];
    for (int worker = 0; worker < count; worker++) {
      sums[worker] = BinSums.lease();
      gathered[worker] = packed.newGathered(block, buffers);
      partial[worker] = worker == 0 ? new long[0] : buffers.longs(cells());
      results[worker] = new Result[] {new Result(buffers), new Result(buffers)};
    }
  }

  /** Those of these rows, if they are many enough and can be packed. */
  static @Nullable QuantisedSplits of(
      BinnedRows binned,
      SplitSettings settings,
      Searches searches,
      Workers workers,
      Buffers buffers) {
    boolean many = binned.rows() >= FEWEST_ROWS;
    PackedBins packed = many ? PackedBins.of(binned, buffers, PackedBins.MOST_WHOLE) : null;
    return packed == null
        ? null
        : new QuantisedSplits(binned, settings, searches, packed, workers, buffers);
  }

  @Override
  @Nullable Totals start(
      double[] gradients, double[] hessians, RowSample sample, int[] treeColumns) {
    VectorForms.worked((long) sample.size() * treeColumns.length);
    CellLayout taken =
        sample.size() < FEWEST_ROWS ? null : derivatives.take(gradients, hessians, sample);
    if (taken == null) {
      return null;
    }
    layout = taken;
    choose(treeColumns, packed.planes(), packed::firstColumn);
    scan = SplitScan.FORM.current();
    scanned = ScanLeaf.applies(settings.penalties(), settings.limits(), layout);
    long total = derivatives.total();
    double[] totals = {layout.gradient(total), layout.hessian(total)};
    return new Totals(totals, layout.count(total));
  }

  @Override
  int cells() {
    return firstCell[packed.planes()];
  }

  @Override
  int firstCell(int plane) {
    return firstCell[plane];
  }

  @Override
  long work(int rows) {
    return (long) rows * PackedBins.LANES * tasks.length + CELL * cells();
  }

  /** Adds up rows, unless they are all, which {@link #build} adds up plane by plane. */
  @Override
  void gather(int[] rows, int from, int to, long[] histogram) {
    if (atOnce(to - from)) {
      return;
    }
    Arrays.fill(begun, false);
    workers.rows(
        from,
        to,
        FEWEST_SHARED,
        (worker, first, end) -> {
          long[] target = worker == 0 ? histogram : partial[worker];
          for (int k = first; k < end; k += block) {
            addUp(worker, rows, k, Math.min(end, k + block), target);
            begun[worker] = true;
          }
        });
  }

  private boolean atOnce(int rows) {
    return rows == binned.rows() && packed.held();
  }

  private void addUp(int worker, int[] rows, int from, int to, long[] target) {
    PackedBins.Gathered own = gathered[worker];
    packed.gather(rows, from, to, from, derivatives.cells, own);
    for (int plane : tasks) {
      int first = firstCell[plane];
      packed.sum(plane, own, to - from, sums[worker], target, first, begun[worker]);
    }
  }

  @Override
  void build(int worker, int plane, int[] rows, int from, int to, long[] histogram) {
    int first = firstCell[plane];
    if (atOnce(to - from)) {
      packed.sumAll(plane, derivatives.cells, sums[worker], histogram, first);
    } else {
      bring(first, firstCell[plane + 1], histogram);
      packed.swapMissing(plane, histogram, first);
    }
  }

  /** Adds up the sums of all workers; those of the first, if any, are in the histogram. */
  private void bring(int from, int to, long[] histogram) {
    boolean written = begun[0];
    for (int other = 1; other < begun.length; other++) {
      if (begun[other] && written) {
        long[] more = partial[other];
        for (int k = from; k < to; k++) {
          histogram[k] += more[k];
        }
      } else if (begun[other]) {
        System.arraycopy(partial[other], from, histogram, from, to - from);
        written = true;
      }
    }
  }

  @Override
  boolean few(int rows) {
    return rows <= FEW;
  }

  @Override
  void gatherFew(int[] rows, int from, int to) {
    packed.gather(rows, from, to, from, derivatives.cells, gathered[0]);
  }

  @Override
  void subtractFew(int plane, int count, long[] histogram) {
    packed.subtract(plane, gathered[0], count, histogram, firstCell[plane]);
  }

  @Override
  void enter(int place, Leaf leaf) {
    super.enter(place, leaf);
    if (scanned) {
      leaves[place].enter(leaf.totals, layout, settings.limits(), settings.penalties());
    }
  }

  @Override
  void search(int worker, int place, int plane, long[] histogram) {
    SplitSearch search = searches.of(worker, place);
    Result result = results[worker][place];
    int first = packed.firstColumn(plane);
    int end = packed.firstColumn(plane + 1);
    boolean scanning = false;
    for (int column = first; column < end; column++) {
      scanning |= scanned && chosen[column] && search.allows(column) && search.plain(column);
    }
    if (scanning) {
      int bins = packed.bins(plane);
      scan.scan(histogram, firstCell[plane], bins, end - first, leaves[place], result);
    }
    for (int column = first; column < end; column++) {
      if (!chosen[column] || !search.allows(column)) {
        continue;
      }
      if (!scanning || !search.plain(column)) {
        read(column, plane, histogram, columnCells[worker]);
        search.search(column, columnCells[worker]);
      } else if (result.left[column - first] != 0) {
        search.consider(column, result.left[column - first], layout);
      }
    }
  }

  private void read(int column, int plane, long[] histogram, ColumnCells target) {
    int at = firstCell[plane] + column - packed.firstColumn(plane);
    int bins = binned.bins(column);
    for (int bin = 0; bin <= bins; bin++) {
      int from = bin < bins ? bin : packed.bins(plane);
      long cell = histogram[at + from * PackedBins.LANES];
      target.counts[bin] = layout.count(cell);
      target.sums[2 * bin] = layout.gradient(cell);
      target.sums[2 * bin + 1] = layout.hessian(cell);
    }
  }

  @Override
  void conclude(int place, Leaf leaf) {
    for (int worker = 0; worker < columnCells.length; worker++) {
      place(searches.of(worker, place), Objects.requireNonNull(leaf.histogram));
    }
    super.conclude(place, leaf);
  }

  /** Finds the first threshold that has the sums of the best split on its left. */
  private void place(SplitSearch search, long[] histogram) {
    long left = search.unplaced;
    if (left == 0) {
      return;
    }
    int column = search.bestColumn;
    int plane = packed.plane(column);
    int first = firstCell[plane] + column - packed.firstColumn(plane);
    long missing = histogram[first + packed.bins(plane) * PackedBins.LANES];
    long sum = histogram[first];
    int bin = 0;
    while (sum != left && (sum + missing != left || layout.count(sum) == 0)) {
      bin++;
      sum += histogram[first + bin * PackedBins.LANES];
    }
    // Of all thresholds that part the leaf alike, the one just below its next value.
    int bins = binned.bins(column);
    while (bin < bins - 1 && histogram[first + (bin + 1) * PackedBins.LANES] == 0) {
      bin++;
    }
    search.place(Math.min(bin, bins - 1), layout.count(missing), sum != left);
  }

  @Override
  void close() {
    for (BinSums lease : sums) {
      lease.close();
    }
  }
}
