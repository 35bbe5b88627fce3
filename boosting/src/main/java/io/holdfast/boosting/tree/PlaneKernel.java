package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.numeric.VectorTrial;

/** What kernels share whose tasks are planes of {@link PackedHistograms}. */
abstract sealed class PlaneKernel implements SplitKernel permits PackedKernel, CoupledKernel {
  final BinnedRows binned;
  final GrowthSettings settings;
  final PackedHistograms histograms;
  final PackedRows packed;
  final Searches searches;
  final ColumnCells[] columnCells; // one a worker
  final PlaneBests[][] bests; // by worker, by place
  PlaneScan scan = PlaneScans.current();
  PackedLayout layout;

  /** Takes the histograms over: closing it closes them. */
  PlaneKernel(
      BinnedRows binned, GrowthSettings settings, PackedHistograms histograms, Searches searches) {
    this.binned = binned;
    this.settings = settings;
    this.histograms = histograms;
    this.searches = searches;
    packed = histograms.packed;
    layout = histograms.layout();
    columnCells = searches.newColumnCells();
    bests = new PlaneBests[columnCells.length][];
    for (int worker = 0; worker < bests.length; worker++) {
      bests[worker] = new PlaneBests[] {new PlaneBests(), new PlaneBests()};
    }
  }

  /** Packs a tree's derivatives; false if they cannot be. */
  final boolean pack(
      double[] gradients, double[] hessians, RowPartition sample, int[] treeColumns) {
    VectorTrial.worked((long) sample.size() * treeColumns.length);
    boolean fits = histograms.start(gradients, hessians, sample, treeColumns);
    if (fits) {
      layout = histograms.layout();
      scan = PlaneScans.current();
    }
    return fits;
  }

  /** Whether all splits that the settings allow are found by scanning packed cells. */
  final boolean scans() {
    return LeafScan.applies(settings.penalties(), settings.limits(), layout);
  }

  @Override
  public int cells() {
    return histograms.cells();
  }

  @Override
  public final int[] tasks() {
    return histograms.planes();
  }

  @Override
  public long work(int rows) {
    return histograms.work(rows);
  }

  @Override
  public void gather(int[] rows, int from, int to, long[] histogram) {
    histograms.add(rows, from, to, false, histogram);
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
  public final void close() {
    histograms.close();
  }
}
