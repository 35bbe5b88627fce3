package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.data.PlaneSums;
import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One value a leaf, leaves not coupled, and columns of at most 256 bins: a cell is one long, and
 * the columns of a plane are done together.
 */
final class PackedKernel implements SplitKernel {
  /*
   * Numeric columns without a direction are scanned in packed cells. Others, and all where a leaf
   * has bounds or λ₁ is above 0, are read into doubles and searched by SplitSearch, column by column.
   */
  private static final int FEWEST_ROWS = 512; // below, additions are not what takes the time
  private static final long CELL = 2; // additions that a cell costs, searched twice

  private final BinnedRows binned;
  private final GrowthSettings settings;
  private final PackedRows packed;
  private final Searches searches;
  private final PackedDerivatives derivatives;
  private final PackedRows.Gathered gathered;
  private final PlaneSums[] sums; // one a worker
  private final PlaneBests[] bests;
  private final ColumnCells[] columnCells;
  private final LeafScan[] leaves = {new LeafScan(), new LeafScan()};
  private final boolean[] chosen; // by column
  private final int[] firstCell; // of each plane, and the end
  private int[] planes = {};
  private PlaneScan scan = PlaneScans.current();
  private PackedLayout layout = new PackedLayout(1, 0, 1, 1);
  private boolean scanned;

  private PackedKernel(
      BinnedRows binned,
      GrowthSettings settings,
      PackedRows packed,
      Searches searches,
      Buffers buffers) {
    this.binned = binned;
    this.settings = settings;
    this.packed = packed;
    this.searches = searches;
    derivatives = new PackedDerivatives(binned.rows(), buffers);
    // All rows are never gathered, and of a parent's two children the smaller one is.
    boolean sampled = settings.sampling().rows() < 1;
    gathered = packed.newGathered(sampled ? binned.rows() : binned.rows() / 2, buffers);
    columnCells = searches.newColumnCells();
    sums = new PlaneSums[columnCells.length];
    bests = new PlaneBests[sums.length];
    for (int worker = 0; worker < sums.length; worker++) {
      sums[worker] = PlaneSums.lease();
      bests[worker] = new PlaneBests();
    }
    chosen = new boolean[binned.columns()];
    firstCell = new int[packed.planes() + 1];
    for (int plane = 0; plane < packed.planes(); plane++) {
      firstCell[plane + 1] = Math.addExact(firstCell[plane], packed.cells(plane));
    }
  }

  /** One for these rows, if they are worth it and can be packed. */
  static @Nullable PackedKernel of(
      BinnedRows binned, GrowthSettings settings, Searches searches, Buffers buffers) {
    PackedRows packed = binned.rows() < FEWEST_ROWS ? null : binned.packed(buffers);
    return packed == null ? null : new PackedKernel(binned, settings, packed, searches, buffers);
  }

  /**
   * Turns to the next tree; returns the sums over its rows, or null if their derivatives are not
   * for this kernel.
   */
  @Nullable Totals start(
      double[] gradients, double[] hessians, RowPartition sample, int[] treeColumns) {
    PackedLayout taken =
        sample.size() < FEWEST_ROWS ? null : derivatives.take(gradients, hessians, sample);
    if (taken == null) {
      return null;
    }
    layout = taken;
    scan = PlaneScans.current();
    scanned = LeafScan.applies(settings.penalties(), settings.limits(), layout);
    chooseColumns(treeColumns);
    long total = 0;
    for (int k = 0; k < sample.size(); k++) {
      total += derivatives.cells[sample.rows[k]];
    }
    return totals(total);
  }

  private void chooseColumns(int[] treeColumns) {
    Arrays.fill(chosen, false);
    boolean[] used = new boolean[packed.planes()];
    int count = 0;
    for (int column : treeColumns) {
      chosen[column] = true;
    }
    for (int plane = 0; plane < used.length; plane++) {
      for (int column = packed.firstColumn(plane);
          column < packed.firstColumn(plane + 1);
          column++) {
        used[plane] |= chosen[column];
      }
      count += used[plane] ? 1 : 0;
    }
    planes = new int[count];
    for (int plane = used.length - 1; plane >= 0; plane--) {
      if (used[plane]) {
        planes[--count] = plane;
      }
    }
  }

  private Totals totals(long cell) {
    return new Totals(
        new double[] {layout.gradient(cell), layout.hessian(cell)}, layout.count(cell));
  }

  @Override
  public int cells() {
    return firstCell[packed.planes()];
  }

  @Override
  public int[] tasks() {
    return planes;
  }

  @Override
  public long work(int rows) {
    return (long) rows * PackedRows.LANES * planes.length + CELL * cells();
  }

  @Override
  public void gather(int[] rows, int from, int to) {
    if (to - from < binned.rows()) {
      packed.gather(rows, from, to, from, derivatives.cells, gathered);
    }
  }

  @Override
  public void build(int worker, int plane, int[] rows, int from, int to, long[] histogram) {
    if (to - from < binned.rows()) {
      packed.sum(plane, gathered, to - from, sums[worker], histogram, firstCell[plane]);
    } else {
      packed.sumAll(plane, derivatives.cells, sums[worker], histogram, firstCell[plane]);
    }
  }

  @Override
  public void subtract(int plane, long[] part, long[] histogram) {
    for (int k = firstCell[plane]; k < firstCell[plane + 1]; k++) {
      histogram[k] -= part[k];
    }
  }

  @Override
  public void enter(int place, Leaf leaf) {
    searches.enter(place, leaf);
    if (scanned) {
      leaves[place].enter(leaf.totals, layout, settings.limits(), settings.penalties());
    }
  }

  @Override
  public void search(int worker, int place, int plane, long[] histogram) {
    SplitSearch search = searches.of(worker, place);
    PlaneBests best = bests[worker];
    int first = packed.firstColumn(plane);
    int end = packed.firstColumn(plane + 1);
    boolean scanning = false;
    for (int column = first; column < end; column++) {
      scanning |= scanned && chosen[column] && search.plain(column);
    }
    if (scanning) {
      scan.scan(histogram, firstCell[plane], packed.bins(plane), end - first, leaves[place], best);
    }
    for (int column = first; column < end; column++) {
      if (!chosen[column]) {
        continue;
      }
      if (scanning && search.plain(column)) {
        consider(search, column, plane, best, histogram);
      } else {
        read(column, plane, histogram, columnCells[worker]);
        search.search(column, columnCells[worker]);
      }
    }
  }

  private void consider(
      SplitSearch search, int column, int plane, PlaneBests best, long[] histogram) {
    int lane = column - packed.firstColumn(plane);
    long split = best.split[lane];
    if (split < 0) {
      return;
    }
    int first = firstCell[plane] + lane;
    int bin = (int) (split >> 1);
    int bins = binned.bins(column);
    // The threshold just below the next value in the leaf, of all that part it alike.
    while (bin < bins - 1 && histogram[first + (bin + 1) * PackedRows.LANES] == 0) {
      bin++;
    }
    long left = best.left[lane];
    int missing = layout.count(histogram[first + packed.bins(plane) * PackedRows.LANES]);
    search.consider(
        column,
        Math.min(bin, bins - 1),
        missing,
        (split & 1) != 0,
        layout.gradient(left),
        layout.hessian(left),
        layout.count(left));
  }

  private void read(int column, int plane, long[] histogram, ColumnCells target) {
    int at = firstCell[plane] + column - packed.firstColumn(plane);
    int bins = binned.bins(column);
    for (int bin = 0; bin <= bins; bin++) {
      int from = bin < bins ? bin : packed.bins(plane);
      long cell = histogram[at + from * PackedRows.LANES];
      target.counts[bin] = layout.count(cell);
      target.sums[2 * bin] = layout.gradient(cell);
      target.sums[2 * bin + 1] = layout.hessian(cell);
    }
  }

  @Override
  public Split best(int place) {
    return searches.best(place);
  }

  @Override
  public void close() {
    for (PlaneSums lease : sums) {
      lease.close();
    }
  }
}
