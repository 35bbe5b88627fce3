package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.CellLayout;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.histogram.QuantisedHistograms;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.VectorForms;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import io.holdfast.boosting.split.SplitFinder.Searches;
import io.holdfast.boosting.split.SplitScan.Result;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One value a leaf, in {@link QuantisedHistograms}: a task is a plane. */
final class QuantisedSplits implements HistogramSplits {
  /*
   * Numeric columns without a direction are scanned in packed cells. Others, and all where a leaf
   * has bounds or λ₁ is above 0, are read into doubles and searched by SplitSearch, column by column.
   *
   * Few rows of a leaf that is too small to be split are taken away from its parent's sums one by one,
   * rather than added up, copied and taken away with all bins: 2 to 3% of a tree of 10,000 rows. Of a
   * leaf that is searched itself it saves nothing.
   */
  private static final int FEW = 128; // rows

  private final BinnedRows binned;
  private final SplitSettings settings;
  private final QuantisedHistograms histograms;
  private final PackedBins packed;
  private final Searches searches;
  private final ColumnCells[] columnCells; // one a worker
  private final Result[][] results; // by worker, by place
  private final ScanLeaf[] leaves = {new ScanLeaf(), new ScanLeaf()};
  private SplitScan scan = SplitScan.FORM.current();
  private CellLayout layout;
  private boolean scanned; // whether scanning packed cells finds all splits that settings allow

  /** Takes the histograms over: closing it closes them. */
  QuantisedSplits(
      BinnedRows binned,
      SplitSettings settings,
      QuantisedHistograms histograms,
      Searches searches) {
    this.binned = binned;
    this.settings = settings;
    this.histograms = histograms;
    this.searches = searches;
    packed = histograms.packed;
    layout = histograms.layout();
    columnCells = searches.newColumnCells();
    results = new Result[columnCells.length][];
    for (int worker = 0; worker < results.length; worker++) {
      results[worker] = new Result[] {new Result(), new Result()};
    }
  }

  @Override
  public @Nullable Totals start(
      double[] gradients, double[] hessians, RowSample sample, int[] treeColumns) {
    VectorForms.worked((long) sample.size() * treeColumns.length);
    if (!histograms.start(gradients, hessians, sample, treeColumns)) {
      return null;
    }
    layout = histograms.layout();
    scan = SplitScan.FORM.current();
    scanned = ScanLeaf.applies(settings.penalties(), settings.limits(), layout);
    long total = histograms.total();
    return new Totals(
        new double[] {layout.gradient(total), layout.hessian(total)}, layout.count(total));
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
    boolean scanning = scanning(worker, place, plane);
    if (scanning) {
      scan.scan(
          histogram,
          histograms.firstCell(plane),
          packed.bins(plane),
          packed.firstColumn(plane + 1) - packed.firstColumn(plane),
          leaves[place],
          results[worker][place]);
    }
    conclude(worker, place, plane, histogram, scanning);
  }

  @Override
  public boolean few(int count) {
    return count <= FEW;
  }

  @Override
  public void gatherFew(int[] rows, int from, int to) {
    histograms.gatherFew(rows, from, to);
  }

  @Override
  public void subtractFew(int plane, int count, long[] histogram) {
    histograms.subtractGathered(plane, count, histogram);
  }

  /** Whether some of the plane's columns are to be scanned for the leaf at that place. */
  private boolean scanning(int worker, int place, int plane) {
    boolean scanning = false;
    int end = packed.firstColumn(plane + 1);
    for (int column = packed.firstColumn(plane); column < end; column++) {
      scanning |= scanned && histograms.chosen(column) && searches.of(worker, place).plain(column);
    }
    return scanning;
  }

  /** Takes over what a scan has found, and searches the columns that are not scanned. */
  private void conclude(int worker, int place, int plane, long[] histogram, boolean scanning) {
    SplitSearch search = searches.of(worker, place);
    int end = packed.firstColumn(plane + 1);
    for (int column = packed.firstColumn(plane); column < end; column++) {
      if (!histograms.chosen(column)) {
        continue;
      }
      if (scanning && search.plain(column)) {
        consider(search, column, plane, results[worker][place]);
      } else {
        read(column, plane, histogram, columnCells[worker]);
        search.search(column, columnCells[worker]);
      }
    }
  }

  private void consider(SplitSearch search, int column, int plane, Result result) {
    long left = result.left[column - packed.firstColumn(plane)];
    if (left != 0) {
      search.consider(
          column, left, layout.gradient(left), layout.hessian(left), layout.count(left));
    }
  }

  /** Finds the first threshold that has such sums on its left. */
  private void place(SplitSearch search, long[] histogram) {
    long left = search.unplaced();
    if (left == 0) {
      return;
    }
    int column = search.bestColumn();
    int plane = packed.plane(column);
    int first = histograms.firstCell(plane) + column - packed.firstColumn(plane);
    long missing = histogram[first + packed.bins(plane) * PackedBins.LANES];
    long sum = histogram[first];
    int bin = 0;
    while (sum != left && (sum + missing != left || layout.count(sum) == 0)) {
      bin++;
      sum += histogram[first + bin * PackedBins.LANES];
    }
    // The threshold just below the next value in the leaf, of all that part it alike.
    int bins = binned.bins(column);
    while (bin < bins - 1 && histogram[first + (bin + 1) * PackedBins.LANES] == 0) {
      bin++;
    }
    search.place(Math.min(bin, bins - 1), layout.count(missing), sum != left);
  }

  private void read(int column, int plane, long[] histogram, ColumnCells target) {
    int at = histograms.firstCell(plane) + column - packed.firstColumn(plane);
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
  public void conclude(int place, Leaf leaf) {
    for (int worker = 0; worker < columnCells.length; worker++) {
      place(searches.of(worker, place), Objects.requireNonNull(leaf.histogram));
    }
    leaf.best = searches.best(place);
  }

  @Override
  public int cells() {
    return histograms.cells();
  }

  @Override
  public int[] tasks() {
    return histograms.planes();
  }

  @Override
  public long work(int rows) {
    return histograms.work(rows);
  }

  @Override
  public void gather(int[] rows, int from, int to, long[] histogram) {
    histograms.add(rows, from, to, histogram);
  }

  @Override
  public void build(int worker, int plane, int[] rows, int from, int to, long[] histogram) {
    histograms.build(worker, plane, from, to, histogram);
  }

  @Override
  public void subtract(int plane, long[] part, long[] histogram) {
    histograms.subtract(plane, part, histogram);
  }

  @Override
  public void close() {
    histograms.close();
  }
}
