package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import java.util.Arrays;

/**
 * The rows of a small coupled leaf in the order of a column's bins, by which all splits of the
 * column are gone through. Owned by the growing thread.
 */
final class OrderedRows {
  /*
   * A row that moves from right to left changes one group's sum s_e, so Σ f_e s_e² by f_e h (2 s_e + h):
   * all thresholds of a column are gone through in a few operations a row, however many groups there
   * are. With c and d as in ContrastBound, but from all groups, a split of L and a on its left gains
   * what it is asked for if c² reaches so much times d: no division. That is about the gain and rather
   * more; those that reach the best so far are looked at by CoupledGain itself. The first to be looked
   * at is the one of most c²/d, and then seldom any: rows are gone through again only where another
   * split was seen that comes close to it.
   *
   * Of a leaf of few rows most splits have to be looked at where any has, since what a group's few rows
   * are hangs on chance, and bounds by contrasts are then far off. Adding up by group takes as many
   * cells as there are groups and splits, so for few rows this takes less.
   */
  private static final int MOST = 1_024; // rows
  private static final double LOST = 1e-9; // as in ContrastBound
  private static final double SMALLEST = Double.MIN_NORMAL;
  private static final double NEAR = 0.999; // of the most c²/d so far; rounding takes far less away
  private static final double ROUNDED = 1e-12; // more than rounding changes a quotient by

  private final BinnedRows binned;
  private final int[] groupOf;
  private final double[] factors;
  private final int fewest;
  private final double ridge;

  // Of the leaf at hand, by place.
  private final int[] rows = new int[MOST];
  private final int[] groups = new int[MOST];
  private final long[] cells = new long[MOST];
  private final double[] hessians = new double[MOST];
  private final double[] shares = new double[MOST]; // f_e h
  private final double[] pulls =
      new double[MOST]; // h and what it adds to the pull on the other side
  private int size;
  private PackedLayout layout;
  private CoupledLeaf leaf;

  // Of the column at hand.
  private int column;
  private final int[] starts; // by bin, while rows are put in order
  private final int[] binOf = new int[MOST]; // by place
  private final int[] order = new int[MOST]; // places
  private int present; // rows that have a value: the first ones of the order

  // What goes left so far.
  private final double[] inGroup;
  private final long[] cellOfGroup;
  private long sum;
  private double own; // L
  private double all; // a

  private double rival; // c²/d that no split but the one of most has more of

  OrderedRows(BinnedRows binned, GrowthSettings settings, int[] groupOf, double[] factors) {
    this.binned = binned;
    this.groupOf = groupOf;
    this.factors = factors;
    fewest = Math.max(1, settings.limits().minRows());
    ridge = settings.penalties().lambda2();
    int bins = 0;
    for (int k = 0; k < binned.columns(); k++) {
      bins = Math.max(bins, binned.bins(k));
    }
    starts = new int[bins + 1];
    inGroup = new double[factors.length];
    cellOfGroup = new long[factors.length];
    layout = new PackedLayout(1, 0, 1, 1, 1);
    leaf = new CoupledLeaf(0, settings, factors);
  }

  /** Whether a leaf has so few rows. */
  static boolean serve(CoupledLeaf leaf) {
    return leaf.to() - leaf.from() <= MOST;
  }

  /** Turns to a leaf. */
  void enter(CoupledLeaf next, int[] rowNumbers, long[] cellOf, PackedLayout treeLayout) {
    leaf = next;
    layout = treeLayout;
    size = next.to() - next.from();
    CoupledGain gains = next.gains();
    for (int k = 0; k < size; k++) {
      int row = rowNumbers[next.from() + k];
      int group = groupOf[row];
      double hessian = treeLayout.hessian(cellOf[row]);
      rows[k] = row;
      groups[k] = group;
      cells[k] = cellOf[row];
      hessians[k] = hessian;
      shares[k] = factors[group] * hessian;
      pulls[k] = (1 + gains.pull(group)) * hessian;
    }
  }

  /** Offers the leaf all splits of a column that may be its best. */
  void offer(int ofColumn) {
    column = ofColumn;
    sort();
    offer(false);
    if (present < size) {
      offer(true);
    }
  }

  private void sort() {
    BinColumn bins = binned.column(column);
    int none = binned.bins(column);
    Arrays.fill(starts, 0, none + 1, 0);
    for (int k = 0; k < size; k++) {
      int bin = bins.bin(rows[k]);
      binOf[k] = bin;
      starts[bin]++;
    }
    present = size - starts[none];
    int next = 0;
    for (int bin = 0; bin <= none; bin++) {
      int count = starts[bin];
      starts[bin] = next;
      next += count;
    }
    for (int k = 0; k < size; k++) {
      order[starts[binOf[k]]++] = k;
    }
  }

  private void offer(boolean missingLeft) {
    int before = missingLeft ? size - present : 0;
    double ratio = leaf.gains().ratio(leaf.bestGain());
    start(missingLeft);
    int most = most(before, ratio);
    if (most >= 0) {
      startCells(missingLeft);
      for (int k = 0; k <= most; k++) {
        cellOfGroup[groups[order[k]]] += cells[order[k]];
      }
      leaf.offer(column, split(most, missingLeft), cellOfGroup, layout, size - present);
      double left = leaf.gains().ratio(leaf.bestGain());
      if (!(rival * (1 + ROUNDED) < left)) {
        start(missingLeft);
        offerOthers(missingLeft, most, left);
      }
    }
  }

  /** Starts with nothing on the left, or the rows without a value. */
  private void start(boolean missingLeft) {
    Arrays.fill(inGroup, 0);
    sum = 0;
    own = ridge;
    all = ridge;
    for (int k = present; missingLeft && k < size; k++) {
      add(order[k]);
    }
  }

  private void add(int place) {
    double hessian = hessians[place];
    int group = groups[place];
    double there = inGroup[group];
    inGroup[group] = there + hessian;
    sum += cells[place];
    own += hessian + shares[place] * (there + there + hessian);
    all += pulls[place];
  }

  private void startCells(boolean missingLeft) {
    Arrays.fill(cellOfGroup, 0);
    for (int k = present; missingLeft && k < size; k++) {
      cellOfGroup[groups[order[k]]] += cells[order[k]];
    }
  }

  /**
   * The last of the order that goes left at the split that seems to gain most, if it is enough;
   * says what the others have at most.
   */
  private int most(int before, double ratio) {
    int first = Math.max(0, fewest - before - 1);
    int last = Math.min(present, size - before - fewest);
    for (int k = 0; k < Math.min(first, last); k++) {
      add(order[k]);
    }
    CoupledGain gains = leaf.gains();
    int shift = layout.gradientShift();
    double unit = layout.gradientUnit();
    double curvature = gains.coupledCurvature();
    double less = curvature * (1 - LOST);
    double gradient = gains.gradient();
    double numerator = ratio;
    double denominator = 1;
    double near = NEAR * numerator;
    double second = 0;
    long cell = sum;
    double ownSoFar = own;
    double allSoFar = all;
    int most = -1;
    for (int k = first; k < last; k++) {
      int place = order[k];
      double hessian = hessians[place];
      int group = groups[place];
      double there = inGroup[group];
      inGroup[group] = there + hessian;
      cell += cells[place];
      ownSoFar += hessian + shares[place] * (there + there + hessian);
      allSoFar += pulls[place];
      double across = (cell >> shift) * unit * curvature - gradient * allSoFar;
      double determinant = less * ownSoFar - allSoFar * allSoFar;
      determinant = determinant > SMALLEST ? determinant : SMALLEST;
      double square = across * across;
      if (square * denominator >= near * determinant && allows(k, before, cell)) {
        if (square * denominator >= numerator * determinant) {
          second = Math.max(second, most < 0 ? 0 : numerator / denominator);
          most = k;
          numerator = square;
          denominator = determinant;
          near = NEAR * numerator;
        } else {
          second = Math.max(second, square / determinant);
        }
      }
    }
    rival = Math.max(second, near / denominator);
    return most;
  }

  /** Whether a threshold can stand after the k-th of the order, and leaves enough either side. */
  private boolean allows(int k, int before, long left) {
    boolean parts =
        k + 1 < present ? binOf[order[k]] != binOf[order[k + 1]] : before == 0 && present < size;
    return parts && leaf.allows(before + k + 1, layout.hessian(left));
  }

  /** The threshold just below the next value in the leaf, and the side of missing values. */
  private int split(int last, boolean missingLeft) {
    int next = last + 1 < present ? binOf[order[last + 1]] : binned.bins(column);
    return 2 * (next - 1) + (missingLeft ? 1 : 0);
  }

  /** Offers what may gain more than the split that seemed to gain most, or as much. */
  private void offerOthers(boolean missingLeft, int most, double ratio) {
    CoupledGain gains = leaf.gains();
    double curvature = gains.coupledCurvature();
    double gradient = gains.gradient();
    int before = missingLeft ? size - present : 0;
    int last = Math.min(present, size - before - fewest);
    startCells(missingLeft);
    for (int k = 0; k < last; k++) {
      int place = order[k];
      add(place);
      cellOfGroup[groups[place]] += cells[place];
      double across = layout.gradient(sum) * curvature - gradient * all;
      double determinant = curvature * (1 - LOST) * own - all * all;
      if (k != most
          && across * across >= ratio * Math.max(determinant, SMALLEST)
          && allows(k, before, sum)) {
        leaf.offer(column, split(k, missingLeft), cellOfGroup, layout, size - present);
      }
    }
  }
}
