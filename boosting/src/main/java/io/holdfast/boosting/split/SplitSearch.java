package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.CellLayout;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.IndexSort;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best split of a leaf from its cells, column by column. Scratch is reused: not
 * thread-safe.
 */
final class SplitSearch {
  /*
   * A group of rows is a list of channel sums, and SplitGain says what parting it from the rest of
   * the leaf gains.
   *
   * Numeric columns: every gap between bins that hold rows of this leaf is tried, with the missing
   * values right and then left, and last all that is present against all that is missing. The
   * threshold is the one just below the first bin right of the gap.
   *
   * Categorical columns: categories are put in order by SplitGain.keys, by each of its orders. Groups
   * are taken from either end, MAX_GROUP categories at most: with many categories, large sets fit
   * noise. Unless orders say all, single categories move from the best group, and of few categories
   * all sets are tried. The bit set of the split always holds the side away from the missing values,
   * so a category never seen in this leaf goes where the missing ones go.
   *
   * Where a leaf has no missing values of the column, later ones go to the child of more rows (left
   * if equal, for a numeric column).
   *
   * Ties: the first found wins, so the lowest column, then the lowest threshold, then missing right.
   */
  private static final int MAX_GROUP = 32;
  private static final int MAX_ROUNDS = 8;
  private static final int FEW_CATEGORIES = 8;
  private static final long[] NUMERIC = {};

  private final BinnedRows binned;
  private final SplitSettings settings;
  private final TreeLimits limits;
  private final SplitGain gains;
  private final @Nullable ScalarGain scalarGain;
  private final @Nullable ThresholdSearch fast;
  private final int channels;
  private final int[] order;
  private final int[] scratch;
  private final double[] keys;
  private final double[] group;
  private final double[] other;

  // The leaf being searched.
  private Totals total = Totals.ZERO;
  private double totalCurvature;
  private boolean @Nullable [] only;

  // The column being searched.
  private ColumnCells cells;
  private int missing; // its bin
  private int missingRows;

  // The best so far. Sums are those of the group that was tried: the left side unless flipped.
  private double bestGain;
  int bestColumn; // −1 if there is none
  private int bestBin;
  private boolean bestMissingLeft;
  private long[] bestCategories = NUMERIC;
  private final double[] bestGroup;
  private int bestRows;
  private boolean bestFlipped;
  private int bestDirection;
  long unplaced; // the cell of what goes left in the best split until it has a place, then 0

  SplitSearch(BinnedRows binned, SplitSettings settings, SplitGain gains, int channels) {
    this.binned = binned;
    this.settings = settings;
    this.gains = gains;
    this.channels = channels;
    limits = settings.limits();
    scalarGain = gains instanceof ScalarGain scalar ? scalar : null;
    fast = scalarGain == null ? null : new ThresholdSearch(scalarGain, limits);
    int categories =
        IntStream.range(0, binned.columns())
            .map(column -> binned.categorical(column) ? binned.bins(column) : 0)
            .max()
            .orElse(0);
    order = new int[categories];
    scratch = new int[categories];
    keys = new double[categories];
    group = new double[channels];
    other = new double[channels];
    bestGroup = new double[channels];
    cells = new ColumnCells(0, channels);
  }

  /** Turns to a leaf. */
  void enter(Leaf leaf) {
    total = leaf.totals;
    only = leaf.only;
    totalCurvature = gains.curvature(total.sums());
    gains.enter(total, leaf.lower, leaf.upper);
    bestGain = limits.minGain();
    bestColumn = -1;
    unplaced = 0;
  }

  /** Whether the leaf at hand may be split by a column. */
  boolean allows(int column) {
    return only == null || only[column];
  }

  /** Whether the leaf at hand can split a column by scalar gains only, without bounds. */
  boolean plain(int column) {
    return scalarGain != null
        && scalarGain.unbounded()
        && settings.direction(column) == 0
        && !binned.categorical(column);
  }

  /**
   * Takes a threshold of a {@link #plain} column if it is better; columns come in ascending order.
   * {@link #place} must be called before {@link #best}.
   *
   * @param left the cell of what goes left, not 0
   */
  void consider(int column, long left, CellLayout layout) {
    if (scalarGain == null) {
      throw new IllegalStateException("only scalar gains can be considered");
    }
    double gradient = layout.gradient(left);
    double hessian = layout.hessian(left);
    double gain = scalarGain.gain(gradient, hessian);
    if (gain > bestGain && gain < Double.POSITIVE_INFINITY) {
      bestGain = gain;
      bestRows = layout.count(left);
      bestGroup[0] = gradient;
      bestGroup[1] = hessian;
      take(column, -1, false, 0);
      unplaced = left;
    }
  }

  /**
   * Says where the best split is.
   *
   * @param leafMissing rows of the leaf without a value
   * @param missingLeft where they go, if there are some
   */
  void place(int lastLeftBin, int leafMissing, boolean missingLeft) {
    bestBin = lastLeftBin;
    bestMissingLeft = leafMissing == 0 ? bestRows >= total.rows() - bestRows : missingLeft;
    unplaced = 0;
  }

  /** Looks for a better split at a column; columns come in ascending order. */
  void search(int column, ColumnCells columnCells) {
    cells = columnCells;
    missing = binned.bins(column);
    missingRows = cells.counts[missing];
    if (binned.categorical(column)) {
      searchCategories(column);
    } else if (fast == null || !plain(column)) {
      searchThresholds(column, settings.direction(column));
    } else if (fast.search(cells, missing, total, bestGain)) {
      bestGain = fast.bestGain;
      bestRows = fast.bestRows;
      bestGroup[0] = fast.bestGradient;
      bestGroup[1] = fast.bestHessian;
      take(column, fast.bestBin, fast.bestMissingLeft, 0);
    }
  }

  /** The best split whose gain exceeds the limit, or {@link Split#NONE}. */
  Split best() {
    if (bestColumn < 0) {
      return Split.NONE;
    }
    Totals tried = new Totals(bestGroup.clone(), bestRows);
    double threshold = 0;
    if (bestCategories.length == 0) {
      boolean last = bestBin == binned.bins(bestColumn) - 1;
      threshold = last ? Double.POSITIVE_INFINITY : binned.threshold(bestColumn, bestBin);
    }
    return new Split(
        bestColumn,
        bestGain,
        threshold,
        bestBin,
        bestCategories,
        bestMissingLeft,
        bestFlipped ? total.minus(tried) : tried,
        bestDirection,
        bestDirection == 0 ? Double.NaN : gains.middle(bestGroup));
  }

  private void searchThresholds(int column, int direction) {
    Arrays.fill(group, 0);
    int rows = 0;
    for (int bin = 0; bin < missing; bin++) {
      int count = cells.counts[bin];
      if (count == 0) {
        continue;
      }
      if (rows > 0) {
        if (improves(group, rows, direction)) {
          take(column, bin - 1, missingRows == 0 && rows >= total.rows() - rows, direction);
        }
        if (missingRows > 0
            && improves(plus(group, 1, missing, other), rows + missingRows, direction)) {
          take(column, bin - 1, true, direction);
        }
      }
      plus(group, 1, bin, group);
      rows += count;
    }
    // What is missing has no place in an order.
    if (rows > 0 && missingRows > 0 && improves(group, rows, 0)) {
      take(column, missing - 1, false, 0);
    }
  }

  /** Makes a threshold the best split. */
  private void take(int column, int lastLeftBin, boolean missingLeft, int direction) {
    take(column, NUMERIC, false);
    bestBin = lastLeftBin;
    bestMissingLeft = missingLeft;
    bestDirection = direction;
  }

  /** Makes a set of categories the best split. */
  private void take(int column, long[] categories, boolean flipped) {
    unplaced = 0;
    bestColumn = column;
    bestBin = -1;
    bestMissingLeft = false;
    bestCategories = categories;
    bestFlipped = flipped;
    bestDirection = 0;
  }

  private void searchCategories(int column) {
    int present = presentCategories();
    if (present <= FEW_CATEGORIES && !gains.ordersSayAll()) {
      searchAllSets(column, present);
      return;
    }
    int searched = 0; // of two categories: the bit set of the orders, of which there are two
    for (int by = 0; by < gains.orders() && present > 0 && searched != 3; by++) {
      presentCategories();
      gains.keys(by, total.sums(), cells.sums, order, present, keys);
      IndexSort.ascending(order, present, keys, scratch);
      int bit = present != 2 ? 0 : order[0] < order[1] ? 1 : 2;
      if (bit == 0 || (searched & bit) == 0) {
        searchGroups(column, present);
      }
      searched |= bit;
    }
    if (bestColumn == column && !gains.ordersSayAll()) {
      moveSingleCategories(column, present);
    }
  }

  /** Tries every set of few categories, each by one move from the set before (Gray's code). */
  private void searchAllSets(int column, int present) {
    Arrays.fill(group, 0);
    boolean[] goesLeft = new boolean[missing];
    boolean[] best = {};
    int rows = 0;
    for (int set = 1; set < 1 << present; set++) {
      int bin = order[Integer.numberOfTrailingZeros(set)];
      int sign = goesLeft[bin] ? -1 : 1;
      goesLeft[bin] = !goesLeft[bin];
      plus(group, sign, bin, group);
      rows += sign * cells.counts[bin];
      if (improves(group, rows, 0)) {
        best = goesLeft.clone();
      }
    }
    if (best.length > 0) {
      takeSides(column, present, best, bestRows);
    }
  }

  /** Moves categories to the other side one by one for as long as that gains. */
  private void moveSingleCategories(int column, int present) {
    double[] left = bestGroup.clone();
    int rows = bestRows;
    if (bestFlipped) {
      left = total.minus(new Totals(left, rows)).sums();
      rows = total.rows() - rows;
    }
    boolean[] goesLeft = new boolean[missing];
    int size = 0;
    for (int k = 0; k < present; k++) {
      goesLeft[order[k]] = Split.holds(bestCategories, binned.category(column, order[k]));
      size += goesLeft[order[k]] ? 1 : 0;
    }
    boolean moved = true;
    for (int round = 0; round < MAX_ROUNDS && moved; round++) {
      moved = false;
      for (int k = 0; k < present; k++) {
        int bin = order[k];
        int sign = goesLeft[bin] ? -1 : 1;
        plus(left, sign, bin, group);
        int count = rows + sign * cells.counts[bin];
        int members = size + sign;
        boolean small = Math.min(members, present - members) <= MAX_GROUP;
        if (small && members > 0 && improves(group, count, 0)) {
          goesLeft[bin] = !goesLeft[bin];
          System.arraycopy(group, 0, left, 0, channels);
          rows = count;
          size = members;
          moved = true;
          bestFlipped = false;
        }
      }
    }
    if (!bestFlipped) {
      takeSides(column, present, goesLeft, rows);
    }
  }

  /** Makes these categories, of {@code rows} rows, one side of the best split. */
  private void takeSides(int column, int present, boolean[] members, int rows) {
    boolean flipped = missingRows == 0 && rows > total.rows() - rows;
    take(column, codes(column, present, k -> members[order[k]] != flipped), flipped);
  }

  /** Searches the groups at either end of an order. */
  private void searchGroups(int column, int present) {
    int from = 0; // of the best group found in this order
    int to = 0;
    boolean flipped = false;
    int fromLow = Math.min(present - 1, MAX_GROUP);
    int fromHigh = Math.min(present - 1 - fromLow, MAX_GROUP);
    for (int end = 0; end < 2; end++) {
      Arrays.fill(group, 0);
      int rows = 0;
      int largest = end == 0 ? fromLow : fromHigh;
      for (int size = 1; size <= largest; size++) {
        int bin = order[end == 0 ? size - 1 : present - size];
        plus(group, 1, bin, group);
        rows += cells.counts[bin];
        boolean alone = improves(group, rows, 0);
        boolean joined =
            missingRows > 0 && improves(plus(group, 1, missing, other), rows + missingRows, 0);
        if (alone || joined) {
          from = end == 0 ? 0 : present - size;
          to = end == 0 ? size : present;
          flipped = joined || (missingRows == 0 && rows > total.rows() - rows);
        }
      }
    }
    if (missingRows > 0
        && improves(plus(total.sums(), -1, missing, other), total.rows() - missingRows, 0)) {
      from = 0;
      to = present;
      flipped = false;
    }
    if (from < to) {
      int low = from;
      int high = to;
      boolean others = flipped;
      take(column, codes(column, present, k -> (k >= low && k < high) != others), flipped);
    }
  }

  /** Puts the bins that hold rows into {@code order}; returns how many. */
  private int presentCategories() {
    int present = 0;
    for (int bin = 0; bin < missing; bin++) {
      if (cells.counts[bin] > 0) {
        order[present++] = bin;
      }
    }
    return present;
  }

  /** The bit set of the codes that go left, by their place in the order. */
  private long[] codes(int column, int present, IntPredicate goesLeft) {
    BitSet codes = new BitSet();
    for (int k = 0; k < present; k++) {
      if (goesLeft.test(k)) {
        codes.set(binned.category(column, order[k]));
      }
    }
    return codes.toLongArray();
  }

  /** Writes the sums with those of a bin, times {@code sign}; returns the target. */
  private double[] plus(double[] sums, int sign, int bin, double[] target) {
    for (int channel = 0; channel < channels; channel++) {
      target[channel] = sums[channel] + sign * cells.sums[bin * channels + channel];
    }
    return target;
  }

  /** Whether a group of rows against all others is allowed and better than the best so far. */
  private boolean improves(double[] sums, int rows, int direction) {
    int otherRows = total.rows() - rows;
    if (rows < limits.minRows() || otherRows < limits.minRows()) {
      return false;
    }
    double curvature = gains.curvature(sums);
    if (!(curvature >= limits.minHessian() && totalCurvature - curvature >= limits.minHessian())) {
      return false;
    }
    double gain = gains.gain(sums, direction);
    if (!(gain > bestGain && gain < Double.POSITIVE_INFINITY)) {
      return false;
    }
    bestGain = gain;
    bestRows = rows;
    unplaced = 0;
    System.arraycopy(sums, 0, bestGroup, 0, channels);
    return true;
  }
}
