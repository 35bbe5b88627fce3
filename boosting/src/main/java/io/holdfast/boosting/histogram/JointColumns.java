package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import java.util.Arrays;

/** Neighbouring columns of few bins as one group, with a cell for each combination. Immutable. */
public final class JointColumns {
  /*
   * A row costs a group what it costs a column, and a cell of a group about three times as much, to
   * be added up by column: 32 cells, of five yes-or-no columns, pay from about 50 rows on.
   */
  public static final int MOST_CELLS = 32;

  private static final int CELL = 2; // rows a cell below which columns go one by one

  private final BinnedRows binned;
  private final int[] firstColumn; // of each group, and the end
  private final int[] width; // by column: its bins, that of missing values counted if it has rows
  private final BinColumn[] columns; // of each group

  private JointColumns(BinnedRows binned, int[] firstColumn, int[] width) {
    this.binned = binned;
    this.firstColumn = firstColumn;
    this.width = width;
    columns = new BinColumn[firstColumn.length - 1];
    Arrays.setAll(
        columns, group -> columns(group) == 1 ? binned.column(first(group)) : join(group));
  }

  /** Each column by itself. */
  public static JointColumns single(BinnedRows binned) {
    int[] first = new int[binned.columns() + 1];
    Arrays.setAll(first, column -> column);
    return new JointColumns(binned, first, new int[binned.columns()]);
  }

  /** As many together as {@link #MOST_CELLS} cells allow. */
  public static JointColumns of(BinnedRows binned) {
    int[] width = new int[binned.columns()];
    int[] first = new int[binned.columns() + 1];
    int groups = 0;
    int cells = MOST_CELLS;
    for (int column = 0; column < width.length; column++) {
      width[column] = width(binned, column);
      cells *= Math.max(1, width[column]);
      if (cells > MOST_CELLS || cells < 0) {
        first[groups++] = column;
        cells = width[column];
      }
    }
    first[groups] = width.length;
    return new JointColumns(binned, Arrays.copyOf(first, groups + 1), width);
  }

  /** The bins of a column that its rows use. */
  private static int width(BinnedRows binned, int column) {
    int bins = binned.bins(column);
    if (bins >= MOST_CELLS) {
      return bins + 1;
    }
    int[] counts = new int[bins + 1];
    binned.column(column).count(binned.rows(), counts);
    return counts[bins] > 0 ? bins + 1 : bins;
  }

  private BinColumn join(int group) {
    int[] binOf = new int[binned.rows()];
    int cells = 1;
    for (int column = first(group); column < end(group); column++) {
      BinColumn part = binned.column(column);
      for (int row = 0; row < binOf.length; row++) {
        binOf[row] += cells * part.bin(row);
      }
      cells *= width[column];
    }
    return BinColumn.of(binOf, cells);
  }

  public int groups() {
    return columns.length;
  }

  public int first(int group) {
    return firstColumn[group];
  }

  public int end(int group) {
    return firstColumn[group + 1];
  }

  private int columns(int group) {
    return end(group) - first(group);
  }

  /** Whether it pays to add up so many rows by group. */
  public boolean together(int group, int rows) {
    return columns(group) > 1 && rows >= CELL * cells(group);
  }

  /** The cell of each row, of a group of several columns; else its bin. */
  public BinColumn column(int group) {
    return columns[group];
  }

  /** The cells of the largest group of several columns. */
  public int mostCells() {
    int most = 0;
    for (int group = 0; group < groups(); group++) {
      most = Math.max(most, columns(group) > 1 ? cells(group) : 0);
    }
    return most;
  }

  /** The cells of a group of several columns. */
  public int cells(int group) {
    int cells = 1;
    for (int column = first(group); column < end(group); column++) {
      cells *= width[column];
    }
    return cells;
  }

  /** Writes the cells of a group's columns, of {@code sums} sums each; {@code joint} is used up. */
  public void part(int group, int sums, long[] joint, long[] histogram) {
    int size = cells(group) * sums;
    for (int column = end(group) - 1; column >= first(group); column--) {
      int slab = size / width[column];
      int target = binned.firstCell(column) * sums;
      int end = binned.firstCell(column + 1) * sums;
      Arrays.fill(histogram, target, end, 0);
      for (int from = 0; from < size; from += slab) {
        for (int cell = from; cell < from + slab; cell += sums) {
          add(joint, cell, histogram, target, sums);
        }
        target += sums;
      }
      for (int from = slab; from < size; from += slab) {
        add(joint, from, joint, 0, slab);
      }
      size = slab;
    }
  }

  private static void add(long[] from, int first, long[] to, int target, int count) {
    for (int k = 0; k < count; k++) {
      to[target + k] += from[first + k];
    }
  }
}
