package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import java.util.Arrays;

/**
 * Packed sums by group of what goes left at some splits of one column, or of each of its bins.
 * Scratch: not thread-safe.
 */
final class GroupCells {
  private final BinnedRows binned;
  private final AnchorCoupling coupling;
  private final int groups;
  private int[] splits = new int[64];
  private int[] cellOfSplit = new int[64]; // its first group's
  private int[] cellOfBin = new int[256];
  private long[] cells = {};
  private int count;
  private int missing; // the first group's cell of the missing values

  GroupCells(BinnedRows binned, AnchorCoupling coupling) {
    this.binned = binned;
    this.coupling = coupling;
    groups = coupling.groups();
  }

  void clear() {
    count = 0;
  }

  /** Adds a split; those of lower bins come first. */
  void add(int lastLeftBin, boolean missingLeft) {
    if (count == splits.length) {
      splits = Arrays.copyOf(splits, 2 * count);
      cellOfSplit = Arrays.copyOf(cellOfSplit, 2 * count);
    }
    splits[count++] = 2 * lastLeftBin + (missingLeft ? 1 : 0);
  }

  /** Twice the last bin that goes left at a split, and one more if missing values do. */
  int split(int k) {
    return splits[k];
  }

  /** Adds up rows for all splits that were added; returns how many these are. */
  int addUp(int column, int[] rows, int from, int to, long[] valueOf) {
    if (count == 0) {
      return 0;
    }
    int bins = binned.bins(column);
    room(bins);
    int cell = 0;
    int bin = 0;
    for (int k = 0; k < count; k++) {
      int last = splits[k] >> 1;
      if (bin <= last) {
        cell += bin == 0 ? 0 : groups;
        Arrays.fill(cellOfBin, bin, last + 1, cell);
        bin = last + 1;
      }
      cellOfSplit[k] = cell;
    }
    int right = cell + groups;
    Arrays.fill(cellOfBin, bin, bins, right);
    missing = right + groups;
    cellOfBin[bins] = missing;
    add(column, rows, from, to, valueOf, missing + groups);
    for (int at = groups; at < right; at++) {
      cells[at] += cells[at - groups];
    }
    return count;
  }

  /** Adds up rows by bin, the missing one last. */
  void addUpAll(int column, int[] rows, int from, int to, long[] valueOf) {
    int bins = binned.bins(column);
    room(bins);
    for (int bin = 0; bin <= bins; bin++) {
      cellOfBin[bin] = bin * groups;
    }
    add(column, rows, from, to, valueOf, (bins + 1) * groups);
  }

  private void room(int bins) {
    if (cellOfBin.length <= bins) {
      cellOfBin = new int[bins + 1];
    }
  }

  private void add(int column, int[] rows, int from, int to, long[] valueOf, int size) {
    if (cells.length < size) {
      cells = new long[size];
    } else {
      Arrays.fill(cells, 0, size, 0);
    }
    binned.column(column).addUp(rows, from, to, cellOfBin, coupling.groupOf(), valueOf, cells);
  }

  /** Writes gradient and hessians by group of what goes left; returns how many rows do. */
  int read(int k, PackedLayout layout, double[] sums) {
    return read(cells, cellOfSplit[k], (splits[k] & 1) != 0 ? missing : -1, layout, sums);
  }

  /** Reads the cells of {@code bins} bins. */
  void read(int bins, PackedLayout layout, ColumnCells target) {
    double[] sums = new double[1 + groups];
    for (int bin = 0; bin < bins; bin++) {
      target.counts[bin] = read(cells, bin * groups, -1, layout, sums);
      System.arraycopy(sums, 0, target.sums, bin * sums.length, sums.length);
    }
  }

  /**
   * Writes the gradient of all groups and the hessian of each; returns how many rows they have.
   *
   * @param more where further cells to be added begin; −1 for none
   */
  static int read(long[] cells, int from, int more, PackedLayout layout, double[] sums) {
    long all = 0;
    for (int group = 0; group < sums.length - 1; group++) {
      long cell = cells[from + group] + (more < 0 ? 0 : cells[more + group]);
      all += cell;
      sums[1 + group] = layout.hessian(cell);
    }
    sums[0] = layout.gradient(all);
    return layout.count(all);
  }
}
