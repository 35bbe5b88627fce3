package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.Channels;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.JointColumns;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.VectorForms;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import io.holdfast.boosting.split.SplitFinder.Searches;
import java.util.Arrays;

/** Any columns, leaves and gains: a cell has a long for each of its {@link Channels}. */
final class GeneralSplits implements HistogramSplits {
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final long CELL = 4; // additions that a sum of a cell costs, searched twice

  private final BinnedRows binned;
  private final Channels channels;
  private final Searches searches;
  private final ColumnCells[] columnCells; // one a worker
  private final int sums; // of a cell
  private final JointColumns joint;
  private final long[][] jointCells; // one a worker
  private final boolean[] chosen; // by column
  private int[] groups = {};

  GeneralSplits(BinnedRows binned, Channels channels, Searches searches, JointColumns joint) {
    this.binned = binned;
    this.joint = joint;
    this.channels = channels;
    this.searches = searches;
    sums = 1 + channels.count();
    columnCells = searches.newColumnCells();
    jointCells = new long[columnCells.length][joint.mostCells() * sums];
    chosen = new boolean[binned.columns()];
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

  /** As {@link HistogramSplits} has it; never null. */
  @Override
  public Totals start(double[] gradients, double[] hessians, RowSample rows, int[] treeColumns) {
    choose(treeColumns);
    VectorForms.worked((long) rows.size() * treeColumns.length * channels.count() / 2);
    return channels.start(gradients, hessians, rows);
  }

  private void choose(int[] treeColumns) {
    Arrays.fill(chosen, false);
    for (int column : treeColumns) {
      chosen[column] = true;
    }
    int[] some = new int[joint.groups()];
    int count = 0;
    for (int group = 0; group < some.length; group++) {
      boolean any = false;
      for (int column = joint.first(group); column < joint.end(group); column++) {
        any |= chosen[column];
      }
      if (any) {
        some[count++] = group;
      }
    }
    groups = Arrays.copyOf(some, count);
  }

  @Override
  public int cells() {
    return binned.cells() * sums;
  }

  @Override
  public int[] tasks() {
    return groups;
  }

  @Override
  public long work(int rows) {
    return (long) rows * groups.length + CELL * channels.count() * binned.cells();
  }

  @Override
  public void gather(int[] rows, int from, int to, long[] histogram) {
    channels.gather(rows, from, to);
  }

  @Override
  public void build(int worker, int group, int[] rows, int from, int to, long[] histogram) {
    if (joint.together(group, to - from)) {
      long[] cells = jointCells[worker];
      Arrays.fill(cells, 0, joint.cells(group) * sums, 0);
      channels.accumulate(joint.column(group), 0, rows, from, to, cells);
      joint.part(group, sums, cells, histogram);
      return;
    }
    Arrays.fill(histogram, start(group), end(group), 0);
    for (int column = joint.first(group); column < joint.end(group); column++) {
      channels.accumulate(
          binned.column(column), binned.firstCell(column), rows, from, to, histogram);
    }
  }

  private int start(int group) {
    return binned.firstCell(joint.first(group)) * sums;
  }

  private int end(int group) {
    return binned.firstCell(joint.end(group)) * sums;
  }

  @Override
  public void subtract(int group, long[] part, long[] histogram) {
    int end = end(group);
    for (int k = start(group); k < end; k++) {
      histogram[k] -= part[k];
    }
  }

  @Override
  public void enter(int place, Leaf leaf) {
    searches.enter(place, leaf);
  }

  @Override
  public void search(int worker, int place, int group, long[] histogram) {
    ColumnCells cells = columnCells[worker];
    for (int column = joint.first(group); column < joint.end(group); column++) {
      if (chosen[column]) {
        channels.read(histogram, binned.firstCell(column), binned.bins(column) + 1, cells);
        searches.of(worker, place).search(column, cells);
      }
    }
  }

  @Override
  public void conclude(int place, Leaf leaf) {
    leaf.best = searches.best(place);
  }

  @Override
  public void close() {}
}
