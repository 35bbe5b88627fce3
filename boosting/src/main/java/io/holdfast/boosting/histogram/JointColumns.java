package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import java.util.Arrays;

/**
 * Neighbouring columns of few bins, taken together: a row is added once to the cell of all its
 * bins, and the cells of each column are sums of those. Immutable but for the column itself; safe
 * to share.
 */
public final class JointColumns {
  /*
   * Rows cost a group what they cost a column, and a group's cells some three times what so many
   * rows do, to add them up by column. With 32 cells five columns of yes and no are one: where a leaf
   * has 50 rows they cost two thirds of what they would one by one, with 1,000 rows a fifth.
   */
  public static final int MOST_CELLS = 32;

  private static final int CELL =
      2; // rows that take as long as a cell: below, columns go one by one

  private final BinnedRows binned;
  private final int[] firstColumn; // of each group, and the end
  private final int[] width; // by column: its bins, that of missing values counted if it has rows
  private final BinColumn[] columns; // of each group

  private JointColumns(BinnedRows binned, int[] firstColumn, int[] width) {
    this.binned = binned;
    this.firstColumn = firstColumn;
    this.width = width;
    columns = new BinColumn[firstColumn.length - 1];
    int[] binOf = {};
    for (int group = 0; group < columns.length; group++) {
      if (columns(group) == 1) {
        columns[group] = binned.column(firstColumn[group]);
      } else {
        binOf = binOf.length == 0 ? new int[binned.rows()] : binOf;
        columns[group] = join(group, binOf);
      }
    }
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

  /** The bins of a column that its rows can have. */
  private static int width(BinnedRows binned, int column) {
    int bins = binned.bins(column);
    if (bins >= MOST_CELLS) {
      return bins + 1;
    }
    int[] counts = new int[bins + 1];
    binned.column(column).count(binned.rows(), counts);
    return counts[bins] > 0 ? bins + 1 : bins;
  }

  private BinColumn join(int group, int[] binOf) {
    Arrays.fill(binOf, 0);
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

  /** Whether so many rows are to be added up together. */
  public boolean together(int group, int rows) {
    return columns(group) > 1 && rows >= CELL * cells(group);
  }

  /** The cell of each row, of a group of several columns; else its bin. */
  public BinColumn column(int group) {
    return columns[group];
  }

  /** How many cells the largest group of several columns has. */
  public int mostCells() {
    int most = 0;
    for (int group = 0; group < groups(); group++) {
      most = Math.max(most, columns(group) > 1 ? cells(group) : 0);
    }
    return most;
  }

  /** How many cells a group of several columns has. */
  public int cells(int group) {
    int cells = 1;
    for (int column = first(group); column < end(group); column++) {
      cells *= width[column];
    }
    return cells;
  }

  /**
   * Writes the cells of a group's columns, given those of the group.
   *
   * @param sums of a cell
   * @param joint used up
   */
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
