package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;

/**
 * Packed sums by group of what goes left at some splits of one column, or of each of its bins. Of a
 * group they stand side by side. Scratch: not thread-safe.
 */
final class GroupCells {
  /*
   * Where all hessians are equal, all that splits need by group is how many rows go left. Rows are then
   * counted, and those of a leaf that has all rows once for all trees of a window.
   */
  private final BinnedRows binned;
  private final AnchorCoupling coupling;
  private final Buffers buffers;
  private final int groups;
  private final int stride; // from a group's cells to the next one's
  private int[] rows = {};
  private int from;
  private int to;
  private long[] valueOf = {}; // by row
  private boolean counting;
  private boolean laidOut; // the leaf's rows
  private long[] values = {}; // of the leaf's rows, unless they are counted
  private int[] firstCells = {}; // of the leaf's rows: their group's
  private final int[] splits = new int[CoupledGain.MOST_WEIGHED];
  private final int[] slotOfSplit = new int[CoupledGain.MOST_WEIGHED];
  private final long[] lefts = new long[CoupledGain.MOST_WEIGHED];
  private final int[] lastOfSlot = new int[CoupledGain.MOST_WEIGHED];
  private final int[] slotOfBin;
  private final int[][] allRows; // by column: of each group, how many up to each bin; or none
  private final long[] cells;
  private final long[] expanded = new long[CoupledGain.MOST_WEIGHED];
  private int count;
  private int slots; // the missing values' comes after them
  private boolean plain; // every split has its slot, and none has missing values left

  GroupCells(BinnedRows binned, AnchorCoupling coupling, Buffers buffers) {
    this.binned = binned;
    this.coupling = coupling;
    this.buffers = buffers;
    groups = coupling.groups();
    int bins = 0;
    for (int column = 0; column < binned.columns(); column++) {
      bins = Math.max(bins, binned.bins(column));
    }
    stride = bins + 2;
    slotOfBin = new int[bins + 1];
    allRows = new int[binned.columns()][];
    cells = new long[Math.multiplyExact(groups, stride)];
  }

  /**
   * Turns to the rows of a leaf.
   *
   * @param cellOf by row, to be left alone until the next leaf
   * @param equal whether all hessians are equal; then there are no sums by bin
   */
  void enter(int[] rowNumbers, int first, int end, long[] cellOf, boolean equal) {
    rows = rowNumbers;
    from = first;
    to = end;
    valueOf = cellOf;
    counting = equal;
    laidOut = false;
  }

  /** Lays their values and groups out, once for all columns. */
  private void layOut() {
    laidOut = true;
    int size = to - from;
    if (firstCells.length < size) {
      firstCells = buffers.ints(binned.rows());
    }
    int[] groupOf = coupling.groupOf();
    if (counting) {
      for (int k = 0; k < size; k++) {
        firstCells[k] = groupOf[rows[from + k]] * stride;
      }
      return;
    }
    if (values.length < size) {
      values = buffers.longs(binned.rows());
    }
    for (int k = 0; k < size; k++) {
      int row = rows[from + k];
      values[k] = valueOf[row];
      firstCells[k] = groupOf[row] * stride;
    }
  }

  void clear() {
    count = 0;
  }

  /**
   * Adds a split; those of lower bins come first.
   *
   * @param left the cell of what goes left, all groups together
   */
  void add(int lastLeftBin, boolean missingLeft, long left) {
    lefts[count] = left;
    splits[count++] = 2 * lastLeftBin + (missingLeft ? 1 : 0);
  }

  /** Twice the last bin that goes left at a split, and one more if missing values do. */
  int split(int k) {
    return splits[k];
  }

  /** Adds up the leaf's rows for all splits that were added; returns how many these are. */
  int addUp(int column) {
    if (count == 0) {
      return 0;
    }
    int bins = binned.bins(column);
    int slot = 0;
    int bin = 0;
    plain = true;
    for (int k = 0; k < count; k++) {
      int last = splits[k] >> 1;
      if (bin <= last) {
        slot += bin == 0 ? 0 : 1;
        Arrays.fill(slotOfBin, bin, last + 1, slot);
        lastOfSlot[slot] = last;
        bin = last + 1;
      }
      slotOfSplit[k] = slot;
      plain &= slot == k && (splits[k] & 1) == 0;
    }
    Arrays.fill(slotOfBin, bin, bins, slot + 1); // right of all splits
    slots = slot + 2;
    slotOfBin[bins] = slots;
    if (counting && to - from == coupling.rows() && keepsAllRows(column)) {
      takeAllRows(column, slot + 1);
      return count;
    }
    addRows(column);
    for (int group = 0; group < groups; group++) {
      long sum = 0;
      int end = group * stride + slot + 1;
      for (int at = group * stride; at < end; at++) {
        sum += cells[at];
        cells[at] = sum;
      }
    }
    return count;
  }

  /** Adds up the leaf's rows by bin, the missing one last. */
  void addUpAll(int column) {
    slots = binned.bins(column);
    for (int bin = 0; bin <= slots; bin++) {
      slotOfBin[bin] = bin;
    }
    addRows(column);
  }

  private void addRows(int column) {
    if (!laidOut) {
      layOut();
    }
    for (int group = 0; group < groups; group++) {
      Arrays.fill(cells, group * stride, group * stride + slots + 1, 0);
    }
    if (counting) {
      binned.column(column).tally(rows, from, to, slotOfBin, firstCells, cells);
    } else {
      binned.column(column).addUp(rows, from, to, slotOfBin, firstCells, values, cells);
    }
  }

  /** Whether what is kept of a column is little beside the rows. */
  private boolean keepsAllRows(int column) {
    return 2L * groups * (binned.bins(column) + 1) <= coupling.rows();
  }

  /** Reads what goes left at the ends of the slots, and the missing values, of all rows. */
  private void takeAllRows(int column, int ends) {
    int width = binned.bins(column) + 1;
    if (allRows[column] == null) {
      allRows[column] = count(column, width);
    }
    int[] counts = allRows[column];
    for (int group = 0; group < groups; group++) {
      int first = group * stride;
      for (int slot = 0; slot < ends; slot++) {
        cells[first + slot] = counts[group * width + lastOfSlot[slot]];
      }
      cells[first + slots] = counts[(group + 1) * width - 1];
    }
  }

  /** Of each group, how many rows there are up to each bin; and those of missing values. */
  private int[] count(int column, int width) {
    int[] counts = new int[groups * width];
    int[] groupOf = coupling.groupOf();
    BinColumn bins = binned.column(column);
    for (int row = 0; row < coupling.rows(); row++) {
      counts[groupOf[row] * width + bins.bin(row)]++;
    }
    for (int group = 0; group < groups; group++) {
      for (int bin = 1; bin < width - 1; bin++) {
        counts[group * width + bin] += counts[group * width + bin - 1];
      }
    }
    return counts;
  }

  /**
   * About what each split that was added gains, and rather more than less: in the array's first
   * entries.
   */
  double[] weigh(PackedLayout layout, CoupledGain gains) {
    gains.startWeighing(count);
    for (int group = 0; group < groups; group++) {
      if (plain) {
        gains.weigh(group, cells, group * stride, layout);
      } else {
        gains.weigh(group, expanded(group), 0, layout);
      }
    }
    return gains.weighed(lefts, layout);
  }

  /** What goes left of a group, split by split. */
  private long[] expanded(int group) {
    int first = group * stride;
    for (int k = 0; k < count; k++) {
      expanded[k] =
          cells[first + slotOfSplit[k]] + ((splits[k] & 1) != 0 ? cells[first + slots] : 0);
    }
    return expanded;
  }

  /** Writes gradient and hessians by group of what goes left; returns how many rows do. */
  int read(int k, PackedLayout layout, double[] sums) {
    read(slotOfSplit[k], (splits[k] & 1) != 0 ? slots : -1, layout, sums);
    sums[0] = layout.gradient(lefts[k]);
    return layout.count(lefts[k]);
  }

  /** Reads the cells of {@code bins} bins. */
  void read(int bins, PackedLayout layout, ColumnCells target) {
    double[] sums = new double[1 + groups];
    for (int bin = 0; bin < bins; bin++) {
      long all = read(bin, -1, layout, sums);
      sums[0] = layout.gradient(all);
      target.counts[bin] = layout.count(all);
      System.arraycopy(sums, 0, target.sums, bin * sums.length, sums.length);
    }
  }

  /** Writes hessians by group; returns the sum of the cells. */
  private long read(int slot, int more, PackedLayout layout, double[] sums) {
    long all = 0;
    for (int group = 0; group < groups; group++) {
      int first = group * stride;
      long cell = cells[first + slot] + (more < 0 ? 0 : cells[first + more]);
      all += cell;
      sums[1 + group] = layout.hessian(cell);
    }
    return all;
  }
}
