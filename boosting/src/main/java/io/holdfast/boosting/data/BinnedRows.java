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
 * The features of rows as bins, by column: what trees are grown on. Immutable, as long as its
 * arrays are not recycled.
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
   * one each and the others share the rest, put together by the labels as numbers. Values that are
   * no code of the feature count as missing.
   */
  public static BinnedRows of(Rows rows, List<Feature> features, int maxBins) {
    return of(rows, features, maxBins, new Buffers());
  }

  /** As above, in arrays of {@code buffers}: it holds until these are recycled. */
  public static BinnedRows of(Rows rows, List<Feature> features, int maxBins, Buffers buffers) {
    return of(rows, features, maxBins, buffers, null);
  }

  /**
   * As above, but numeric columns keep the bins that they had for earlier rows where these are
   * still good. The {@link #bins} are then to be had for rows to come.
   */
  public static BinnedRows of(
      Rows rows, List<Feature> features, int maxBins, Buffers buffers, @Nullable KeptBins kept) {
    return of(rows, features, maxBins, buffers, kept, () -> CategoryTargets.ofLabels(rows));
  }

  /** As above, but many categories are put together by {@code targets}. */
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

  /** These columns, each as often as it is named, of the same rows; storage is shared. */
  BinnedRows select(int... chosen) {
    BinnedRows selected = new BinnedRows(rows, chosen.length);
    for (int column = 0; column < chosen.length; column++) {
      int from = chosen[column];
      selected.columns[column] = columns[from];
      selected.thresholds[column] = thresholds[from];
      selected.categories[column] = categories[from];
      selected.categorical[column] = categorical[from];
      selected.groups[column] = groups[from];
      selected.addCells(column, bins(from) + 1);
    }
    return selected;
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

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /** How many columns there are. */
  public int columns() {
    return columns.length;
  }

  /** The bins of a column, the missing one not counted; the missing one has this number. */
  public int bins(int column) {
    return categorical[column] ? categories[column].length : thresholds[column].length + 1;
  }

  /**
   * The bins of numeric columns, the very instance that was kept if all of them stayed; null if
   * none were to be kept, or could be.
   */
  public @Nullable Bins bins() {
    return bins;
  }

  /** Whether the column's bins are categories. */
  public boolean categorical(int column) {
    return categorical[column];
  }

  /** The column's rows. */
  public BinColumn column(int column) {
    return columns[column];
  }

  /** What separates a numeric column's {@code bin} from the next: values at most this are left. */
  public double threshold(int column, int bin) {
    return thresholds[column][bin];
  }

  /**
   * Which categories a categorical column's bins are, if codes are put together: bin b is group b.
   * Null if each bin is one category.
   */
  public @Nullable CategoryGroups groups(int column) {
    return groups[column];
  }

  /** Whether some column's categories are put together. */
  public boolean grouped() {
    return Arrays.stream(groups).anyMatch(Objects::nonNull);
  }

  /** What stands for a categorical column's {@code bin} in a test: its code, or its group. */
  public int category(int column, int bin) {
    return categories[column][bin];
  }

  /** Where a column's bin 0 is when the cells of all columns stand in one row. */
  public int firstCell(int column) {
    return firstCell[column];
  }

  /** The cells of all columns, those for missing values counted. */
  public int cells() {
    return firstCell[columns.length];
  }
}
