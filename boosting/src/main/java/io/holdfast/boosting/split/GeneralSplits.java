package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.Channels;
import io.holdfast.boosting.histogram.JointColumns;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.VectorForms;
import io.holdfast.boosting.split.SplitFinder.Searches;
import java.util.Arrays;

/** Any columns, leaves and gains: a cell has a long for each of its {@link Channels}. */
final class GeneralSplits extends HistogramSplits {
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final long CELL = 4; // additions that a sum of a cell costs, searched twice

  private final Channels channels;
  private final int sums; // of a cell
  private final JointColumns joint;
  private final long[][] jointCells; // one a worker

  GeneralSplits(BinnedRows binned, Channels channels, Searches searches, JointColumns joint) {
    super(binned, searches);
    this.joint = joint;
    this.channels = channels;
    sums = 1 + channels.count();
    jointCells = new long[columnCells.length][joint.mostCells() * sums];
  }

  /** Checks that arrays can hold the sums of each bin, and the channels of each row. */
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

  /** Never null. */
  @Override
  Totals start(double[] gradients, double[] hessians, RowSample rows, int[] treeColumns) {
    choose(treeColumns, joint.groups(), joint::first);
    VectorForms.worked((long) rows.size() * treeColumns.length * channels.count() / 2);
    return channels.start(gradients, hessians, rows);
  }

  @Override
  int cells() {
    return binned.cells() * sums;
  }

  @Override
  int firstCell(int group) {
    return binned.firstCell(joint.first(group)) * sums;
  }

  @Override
  long work(int rows) {
    return (long) rows * tasks.length + CELL * channels.count() * binned.cells();
  }

  @Override
  void gather(int[] rows, int from, int to, long[] histogram) {
    channels.gather(rows, from, to);
  }

  @Override
  void build(int worker, int group, int[] rows, int from, int to, long[] histogram) {
    if (joint.together(group, to - from)) {
      long[] cells = jointCells[worker];
      Arrays.fill(cells, 0, joint.cells(group) * sums, 0);
      channels.accumulate(joint.column(group), 0, rows, from, to, cells);
      joint.part(group, sums, cells, histogram);
      return;
    }
    Arrays.fill(histogram, firstCell(group), firstCell(group + 1), 0);
    for (int column = joint.first(group); column < joint.first(group + 1); column++) {
      int first = binned.firstCell(column);
      channels.accumulate(binned.column(column), first, rows, from, to, histogram);
    }
  }

  @Override
  void search(int worker, int place, int group, long[] histogram) {
    SplitSearch search = searches.of(worker, place);
    for (int column = joint.first(group); column < joint.first(group + 1); column++) {
      if (chosen[column] && search.allows(column)) {
        int first = binned.firstCell(column);
        channels.read(histogram, first, binned.bins(column) + 1, columnCells[worker]);
        search.search(column, columnCells[worker]);
      }
    }
  }
}
