package io.holdfast.boosting.tree;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.data.BinnedRows;
import java.util.Arrays;

/** Any columns, leaves and gains: a cell has a long for each of its {@link Channels}. */
final class ChannelKernel implements SplitKernel {
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final long CELL = 4; // additions that a sum of a cell costs, searched twice

  private final BinnedRows binned;
  private final Channels channels;
  private final Searches searches;
  private final ColumnCells[] columnCells; // one a worker
  private final int sums; // of a cell
  private int[] columns = {};

  ChannelKernel(BinnedRows binned, Channels channels, Searches searches) {
    this.binned = binned;
    this.channels = channels;
    this.searches = searches;
    sums = 1 + channels.count();
    columnCells = searches.newColumnCells();
  }

  /** Whether arrays can hold the sums of each bin, and the channels of each row. */
  static void checkSize(BinnedRows binned, int channels, int channelsOfRow) {
    checkSize("bins of all features", binned.cells(), 1L + channels);
    checkSize("rows", binned.rows(), channelsOfRow);
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

  /** As {@link SplitKernel} has it; never null. */
  @Override
  public Totals start(double[] gradients, double[] hessians, RowPartition rows, int[] treeColumns) {
    columns = treeColumns;
    return channels.start(gradients, hessians, rows);
  }

  @Override
  public int cells() {
    return binned.cells() * sums;
  }

  @Override
  public int[] tasks() {
    return columns;
  }

  @Override
  public long work(int rows) {
    return (long) rows * columns.length + CELL * channels.count() * binned.cells();
  }

  @Override
  public void gather(int[] rows, int from, int to, long[] histogram) {
    channels.gather(rows, from, to);
  }

  @Override
  public void build(int worker, int column, int[] rows, int from, int to, long[] histogram) {
    int first = binned.firstCell(column);
    Arrays.fill(histogram, first * sums, binned.firstCell(column + 1) * sums, 0);
    channels.accumulate(binned.column(column), first, rows, from, to, histogram);
  }

  @Override
  public void subtract(int column, long[] part, long[] histogram) {
    int end = binned.firstCell(column + 1) * sums;
    for (int k = binned.firstCell(column) * sums; k < end; k++) {
      histogram[k] -= part[k];
    }
  }

  @Override
  public void enter(int place, Leaf leaf) {
    searches.enter(place, leaf);
  }

  @Override
  public void search(int worker, int place, int column, long[] histogram) {
    ColumnCells cells = columnCells[worker];
    channels.read(histogram, binned.firstCell(column), binned.bins(column) + 1, cells);
    searches.of(worker, place).search(column, cells);
  }

  @Override
  public void conclude(int place, Leaf leaf) {
    leaf.best = searches.best(place);
  }

  @Override
  public void settle(Leaf leaf, double others) {} // never puts a search off

  @Override
  public void close() {}
}
