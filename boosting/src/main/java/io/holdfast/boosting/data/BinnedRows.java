package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The features of rows as bins, by column: what trees are grown on. Immutable.
 *
 * <p>Column {@code c} has {@code bins(c)} bins, and one more, the last, for missing values. A
 * numeric bin is an interval of values, a categorical bin is one category, or a group of several.
 */
public final class BinnedRows {
  private final int rows;
  private final BinColumn[] columns;
  private final double[][] thresholds; // of numeric columns: between bin b and b + 1
  private final int[][] categories; // of categorical columns: the code of bin b
  private final boolean[] categorical;
  private final @Nullable CategoryGroups[] groups; // of categorical columns with codes put together
  private final int[] firstCell;
  private @Nullable Bins bins;

  BinnedRows(int rows, int width) {
    this.rows = rows;
    columns = new BinColumn[width];
    thresholds = new double[width][];
    categories = new int[width][];
    categorical = new boolean[width];
    groups = new @Nullable CategoryGroups[width];
    firstCell = new int[width + 1];
  }

  /**
   * Bins each column of {@code rows} as {@code features} say.
   *
   * <p>A numeric column with at most {@code maxBins} distinct values gets a bin for each, with
   * thresholds midway between neighbours; otherwise bins of about equal weight. A categorical
   * column gets a bin for each category that occurs; of more than {@code maxBins} the heaviest get
   * one each and the others share the rest. Values that are no code of the feature are missing.
   */
  public static BinnedRows of(Rows rows, List<Feature> features, int maxBins) {
    Supplier<CategoryTargets> targets = () -> CategoryTargets.ofLabels(rows);
    return of(rows, features, maxBins, new Buffers(), null, targets);
  }

  /**
   * As above, in arrays of {@code buffers}: it holds until these are recycled.
   *
   * @param kept bins of earlier rows, which numeric columns keep where they are still good
   * @param targets what many categories are grouped by; above, the labels as numbers
   */
  public static BinnedRows of(
      Rows rows,
      List<Feature> features,
      int maxBins,
      Buffers buffers,
      @Nullable KeptBins kept,
      Supplier<CategoryTargets> targets) {
    return new Binning(rows, maxBins, buffers, kept, targets).bin(features);
  }

  void setBins(@Nullable Bins used) {
    bins = used;
  }

  void setNumeric(int column, double[] columnThresholds, BinColumn bins) {
    thresholds[column] = columnThresholds;
    columns[column] = bins;
    addCells(column, bins(column) + 1);
  }

  void setCategorical(int column, int[] codes, BinColumn bins) {
    categorical[column] = true;
    categories[column] = codes;
    columns[column] = bins;
    addCells(column, bins(column) + 1);
  }

  /** A categorical column whose bins are groups. */
  void setGrouped(int column, CategoryGroups columnGroups, BinColumn bins) {
    groups[column] = columnGroups;
    setCategorical(column, IntStream.range(0, columnGroups.count()).toArray(), bins);
  }

  private void addCells(int column, int cells) {
    long end = (long) firstCell[column] + cells;
    Check.that(
        end <= Integer.MAX_VALUE,
        "all features together must have at most %s bins (lower maxBins, or leave out features): %s"
            + " with the first %s of them",
        Integer.MAX_VALUE,
        end,
        column + 1);
    firstCell[column + 1] = (int) end;
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns.length;
  }

  /** The bins of a column, the missing one not counted; the missing one has this number. */
  public int bins(int column) {
    return categorical[column] ? categories[column].length : thresholds[column].length + 1;
  }

  /** The bins of numeric columns, the kept instance if all stayed; null if none are to be kept. */
  public @Nullable Bins bins() {
    return bins;
  }

  public boolean categorical(int column) {
    return categorical[column];
  }

  public BinColumn column(int column) {
    return columns[column];
  }

  /** What separates a numeric column's {@code bin} from the next: values at most this are left. */
  public double threshold(int column, int bin) {
    return thresholds[column][bin];
  }

  /** The groups that a categorical column's bins are; null if each bin is one category. */
  public @Nullable CategoryGroups groups(int column) {
    return groups[column];
  }

  public boolean grouped() {
    return Arrays.stream(groups).anyMatch(Objects::nonNull);
  }

  /** A categorical column's {@code bin} in a split: its code, or its group. */
  public int category(int column, int bin) {
    return categories[column][bin];
  }

  /** The cell of a column's bin 0 among those of all columns. */
  public int firstCell(int column) {
    return firstCell[column];
  }

  /** The cells of all columns, those for missing values counted. */
  public int cells() {
    return firstCell[columns.length];
  }
}
