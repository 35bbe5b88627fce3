package io.holdfast.boosting.split;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.numeric.IndexSort;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best split of a leaf from its cells, column by column. Scratch is reused: not
 * thread-safe.
 */
final class SplitSearch {
  /*
   * One enumeration of groups for every kind of gain: a group is a list of channel sums, and
   * SplitGain says what parting it from the rest of the leaf is worth.
   *
   * Numeric columns: every gap between bins that hold rows of this leaf is tried, with the missing
   * values right and then left, and last all that is present against all that is missing. In a gap
   * the threshold is the one just below the first bin right of it.
   *
   * Categorical columns: categories are put in order by SplitGain.keys. Groups are taken from either
   * end of that order, MAX_GROUP categories at most: with many categories, large sets fit noise.
   * With several outputs there is an order by each, with coupled leaves one before the coupling and
   * one after it, and from the best of them single categories move; of few categories all sets are
   * tried. The bit set of the split always holds the side away from the missing values, so a
   * category never seen in this leaf goes where the missing ones go.
   *
   * Where a leaf has no missing values of the column, later ones go to the child of more rows (left
   * if equal, for a numeric column).
   *
   * Ties: the first found wins, which is the lowest column, then the lowest threshold, then missing
   * right.
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
  private final @Nullable ThresholdSearch scan;
  private final int channels;
  private final int[] order;
  private final int[] scratch;
  private final double[] keys;
  private final double[] group;
  private final double[] withMissing;

  // The leaf being searched.
  private Totals total;
  private double totalCurvature;

  // The column being searched.
  private ColumnCells cells;
  private int firstMissing; // its first channel
  private int missingRows;

  // The best so far. Sums are those of the group that was tried: the left side unless flipped.
  private double bestGain;
  private int bestColumn;
  private int bestBin;
  private boolean bestMissingLeft;
  private long[] bestCategories;
  private final double[] bestGroup;
  private int bestRows;
  private boolean bestFlipped;
  private int bestDirection;
  private long unplaced; // 0 if it is known where the best is

  SplitSearch(BinnedRows binned, SplitSettings settings, SplitGain gains, int channels) {
    this.binned = binned;
    this.settings = settings;
    this.gains = gains;
    this.channels = channels;
    limits = settings.limits();
    scalarGain = gains instanceof ScalarGain scalar ? scalar : null;
    scan = scalarGain == null ? null : new ThresholdSearch(scalarGain, limits);
    int bins = 0;
    for (int column = 0; column < binned.columns(); column++) {
      if (binned.categorical(column)) {
        bins = Math.max(bins, binned.bins(column));
      }
    }
    order = new int[bins];
    scratch = new int[bins];
    keys = new double[bins];
    group = new double[channels];
    withMissing = new double[channels];
    bestGroup = new double[channels];
    cells = new ColumnCells(0, channels);
    total = Totals.ZERO;
    bestCategories = NUMERIC;
  }

  /** Turns to a leaf. */
  void enter(Leaf leaf) {
    total = leaf.totals;
    totalCurvature = gains.curvature(total.sums());
    gains.enter(total, leaf.lower, leaf.upper);
    bestGain = limits.minGain();
    bestColumn = -1;
    unplaced = 0;
  }

  /**
   * Whether all there is to a column is the scalar gain of its thresholds, without bounds or
   * direction, in the leaf at hand.
   */
  boolean plain(int column) {
    return scalarGain != null
        && scalarGain.unbounded()
        && settings.direction(column) == 0
        && !binned.categorical(column);
  }

  /**
   * Takes a threshold of a {@link #plain} column if it is better; columns come in ascending order.
   * Where it is must be said by {@link #place} before the {@link #best} is asked for.
   *
   * @param left not 0: what {@link #unplaced} is until then
   */
  void consider(int column, long left, double gradient, double hessian, int rows) {
    if (scalarGain == null) {
      throw new IllegalStateException("only scalar gains can be considered");
    }
    double gain = scalarGain.gain(gradient, hessian);
    if (gain > bestGain && gain < Double.POSITIVE_INFINITY) {
      bestGain = gain;
      bestRows = rows;
      bestGroup[0] = gradient;
      bestGroup[1] = hessian;
      numericBest(column, -1, false, 0);
      unplaced = left;
    }
  }

  /** What was said of the best split if it has no place yet; else 0. */
  long unplaced() {
    return unplaced;
  }

  /** The column of the best split so far; −1 if there is none. */
  int bestColumn() {
    return bestColumn;
  }

  /**
   * Says where the best split is.
   *
   * @param missing how many rows of the leaf miss the value
   * @param missingLeft where they go, if there are some
   */
  void place(int lastLeftBin, int missing, boolean missingLeft) {
    bestBin = lastLeftBin;
    bestMissingLeft = missing == 0 ? bestRows >= total.rows() - bestRows : missingLeft;
    unplaced = 0;
  }

  /** Looks for a better split at a column; columns come in ascending order. */
  void search(int column, ColumnCells columnCells) {
    cells = columnCells;
    missingRows = cells.counts[binned.bins(column)];
    firstMissing = binned.bins(column) * channels;
    if (binned.categorical(column)) {
      searchCategories(column);
      return;
    }
    if (scan != null && plain(column)) {
      scanThresholds(column, scan);
    } else {
      searchThresholds(column, settings.direction(column));
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
      threshold =
          bestBin < binned.bins(bestColumn) - 1
              ? binned.threshold(bestColumn, bestBin)
              : Double.POSITIVE_INFINITY;
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

  /** Does what {@link #searchThresholds} does, faster. */
  private void scanThresholds(int column, ThresholdSearch fast) {
    if (fast.search(cells, binned.bins(column), total, bestGain)) {
      bestGain = fast.gain();
      bestRows = fast.rows();
      fast.copySums(bestGroup);
      numericBest(column, fast.lastLeftBin(), fast.missingLeft(), 0);
    }
  }

  private void searchThresholds(int column, int direction) {
    int bins = binned.bins(column);
    start();
    int rows = 0;
    for (int bin = 0; bin < bins; bin++) {
      int count = cells.counts[bin];
      if (count == 0) {
        continue;
      }
      if (rows > 0) {
        if (improves(group, rows, direction)) {
          numericBest(column, bin - 1, missingRows == 0 && rows >= total.rows() - rows, direction);
        }
        if (missingRows > 0 && improves(plusMissing(), rows + missingRows, direction)) {
          numericBest(column, bin - 1, true, direction);
        }
      }
      add(bin);
      rows += count;
    }
    // What is missing has no place in an order.
    if (rows > 0 && missingRows > 0 && improves(group, rows, 0)) {
      numericBest(column, bins - 1, false, 0);
    }
  }

  private void numericBest(int column, int lastLeftBin, boolean missingLeft, int direction) {
    unplaced = 0;
    bestColumn = column;
    bestBin = lastLeftBin;
    bestMissingLeft = missingLeft;
    bestCategories = NUMERIC;
    bestFlipped = false;
    bestDirection = direction;
  }

  private void searchCategories(int column) {
    int present = presentCategories(column);
    if (present <= FEW_CATEGORIES && !gains.ordersSayAll()) {
      searchAllSets(column, present);
      return;
    }
    if (present == 2) {
      searchTwoCategories(column);
      return;
    }
    for (int by = 0; by < gains.orders() && present > 0; by++) {
      if (by > 0) {
        presentCategories(column);
      }
      gains.keys(by, total.sums(), cells.sums, order, present, keys);
      IndexSort.ascending(order, present, keys, scratch);
      searchGroups(column, present);
    }
    if (bestColumn == column && !gains.ordersSayAll()) {
      moveSingleCategories(column, present);
    }
  }

  /** Tries every set of few categories, each by one move from the set before (Gray's code). */
  private void searchAllSets(int column, int present) {
    start();
    boolean[] goesLeft = new boolean[binned.bins(column)];
    boolean[] best = {};
    int rows = 0;
    for (int set = 1; set < 1 << present; set++) {
      int bin = order[Integer.numberOfTrailingZeros(set)];
      int sign = goesLeft[bin] ? -1 : 1;
      goesLeft[bin] = !goesLeft[bin];
      for (int channel = 0; channel < channels; channel++) {
        group[channel] += sign * cells.sums[bin * channels + channel];
      }
      rows += sign * cells.counts[bin];
      if (improves(group, rows, 0)) {
        best = goesLeft.clone();
      }
    }
    if (best.length > 0) {
      bestColumn = column;
      bestBin = -1;
      bestMissingLeft = false;
      bestDirection = 0;
      takeSides(column, present, best, missingRows == 0 && bestRows > total.rows() - bestRows);
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
    boolean[] goesLeft = new boolean[binned.bins(column)];
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
        for (int channel = 0; channel < channels; channel++) {
          group[channel] = left[channel] + sign * cells.sums[bin * channels + channel];
        }
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
      takeSides(column, present, goesLeft, missingRows == 0 && rows > total.rows() - rows);
    }
  }

  /** Takes these categories for the left side, or if flipped for the right one. */
  private void takeSides(int column, int present, boolean[] members, boolean flipped) {
    int count = 0;
    for (int k = 0; k < present; k++) {
      if (members[order[k]]) {
        scratch[count++] = order[k];
      }
    }
    for (int k = 0, at = count; k < present; k++) {
      if (!members[order[k]]) {
        scratch[at++] = order[k];
      }
    }
    System.arraycopy(scratch, 0, order, 0, present);
    bestFlipped = flipped;
    bestCategories = categorySet(column, present, count);
  }

  /**
   * Does what {@link #searchCategories} does: of two categories there are two orders, and one that
   * was searched already has nothing better.
   */
  private void searchTwoCategories(int column) {
    int one = order[0];
    int other = order[1];
    boolean oneFirst = false;
    boolean otherFirst = false;
    for (int by = 0; by < gains.orders() && !(oneFirst && otherFirst); by++) {
      order[0] = one;
      order[1] = other;
      gains.keys(by, total.sums(), cells.sums, order, 2, keys);
      boolean swapped = keys[one] > keys[other];
      if (swapped ? !otherFirst : !oneFirst) {
        order[0] = swapped ? other : one;
        order[1] = swapped ? one : other;
        searchGroups(column, 2);
      }
      otherFirst |= swapped;
      oneFirst |= !swapped;
    }
  }

  /** Searches the groups at either end of an order. */
  private void searchGroups(int column, int present) {
    int groupSize = 0; // of the best group found in this order; negative if from the high end
    int fromLow = Math.min(present - 1, MAX_GROUP);
    int fromHigh = Math.min(present - 1 - fromLow, MAX_GROUP);
    for (int end = 0; end < 2; end++) {
      start();
      int rows = 0;
      int largest = end == 0 ? fromLow : fromHigh;
      for (int size = 1; size <= largest; size++) {
        int bin = order[end == 0 ? size - 1 : present - size];
        add(bin);
        rows += cells.counts[bin];
        if (improves(group, rows, 0)) {
          groupSize = end == 0 ? size : -size;
          bestFlipped = missingRows == 0 && rows > total.rows() - rows;
        }
        if (missingRows > 0 && improves(plusMissing(), rows + missingRows, 0)) {
          groupSize = end == 0 ? size : -size;
          bestFlipped = true;
        }
      }
    }
    if (missingRows > 0 && improves(known(), total.rows() - missingRows, 0)) {
      groupSize = present;
      bestFlipped = false;
    }
    if (groupSize != 0) {
      bestColumn = column;
      bestBin = -1;
      bestMissingLeft = false;
      bestDirection = 0;
      bestCategories = categorySet(column, present, groupSize);
    }
  }

  /** Puts the bins that hold rows into {@code order}; returns how many. */
  private int presentCategories(int column) {
    int bins = binned.bins(column);
    int present = 0;
    for (int bin = 0; bin < bins; bin++) {
      if (cells.counts[bin] > 0) {
        order[present++] = bin;
      }
    }
    return present;
  }

  /** The codes that go left: the group, or if flipped the others that are present. */
  private long[] categorySet(int column, int present, int groupSize) {
    int from = groupSize > 0 ? 0 : present + groupSize;
    int to = groupSize > 0 ? groupSize : present;
    int highest = 0;
    for (int k = 0; k < present; k++) {
      if ((k >= from && k < to) != bestFlipped) {
        highest = Math.max(highest, binned.category(column, order[k]));
      }
    }
    long[] set = new long[(highest >> 6) + 1];
    for (int k = 0; k < present; k++) {
      if ((k >= from && k < to) != bestFlipped) {
        int code = binned.category(column, order[k]);
        set[code >> 6] |= 1L << code;
      }
    }
    return set;
  }

  private void start() {
    for (int channel = 0; channel < channels; channel++) {
      group[channel] = 0;
    }
  }

  private void add(int bin) {
    for (int channel = 0; channel < channels; channel++) {
      group[channel] += cells.sums[bin * channels + channel];
    }
  }

  /** The group with the missing values, of which there are some. */
  private double[] plusMissing() {
    for (int channel = 0; channel < channels; channel++) {
      withMissing[channel] = group[channel] + cells.sums[firstMissing + channel];
    }
    return withMissing;
  }

  /** All but the missing values, of which there are some. */
  private double[] known() {
    for (int channel = 0; channel < channels; channel++) {
      withMissing[channel] = total.sums()[channel] - cells.sums[firstMissing + channel];
    }
    return withMissing;
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
