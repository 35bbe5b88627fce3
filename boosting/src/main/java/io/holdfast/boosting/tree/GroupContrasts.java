package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import java.util.Arrays;

/**
 * Two whole numbers for each group of an {@link AnchorCoupling}, whose sums over a leaf's rows say
 * about as much of what the coupling costs a split as sums by group do. Owned by the growing
 * thread.
 */
final class GroupContrasts {
  /*
   * C = (gamma − 1) Σ_e s_e s_eᵀ / n_e is the square of the vectors √((gamma − 1)/n_e) s_e, and so is at
   * least the square of their projections onto any few directions. For d_0 = 1, d_1, d_2 orthogonal in
   * the weights n, and L_i = Σ_e d_ie s_e,
   *
   *   C ≥ (gamma − 1) Σ_i L_i L_iᵀ / Σ_e n_e d_ie²,
   *
   * whatever the directions: they decide how close the bound is, and nothing else. Those that are taken
   * are in which shares of the groups differ most, left of seven thresholds of each column: the first
   * two principal ones. Where groups drift along one line, they are about that line and its square.
   *
   * The sums of a row's numbers, times its hessian in units, stand in one long, and add up like cells.
   */
  private static final int MOST = 15; // of a code
  private static final int BITS = 4;
  static final int HALF = Integer.SIZE; // bits of a long that the first sum has
  private static final long LOW = (1L << HALF) - 1;
  private static final int PARTS = 8; // of a column's bins
  private static final int ROWS = 16_384; // looked at, about
  private static final int STEPS = 12; // of the power iteration
  private static final double FLAT = 1e-9; // what is left of a direction that is none

  private final int groups;
  private final int rows;
  private final int[] groupOf; // may be longer
  private final long[] codes; // by group

  // Of the tree at hand.
  private boolean ofOnes; // whether every row's numbers are those of a hessian of one unit
  private double mean; // of the first code
  private double secondMean;
  private double slope; // of the second by the first
  private double share; // (gamma − 1) / Σ n
  private double firstShare; // (gamma − 1) / Σ n d², 0 if there is no such direction
  private double secondShare;

  // Of the leaf at hand: the shares times the leaf's sums.
  private double pull;
  private double firstPull;
  private double secondPull;
  private double square; // of the leaf's sums with themselves

  GroupContrasts(BinnedRows binned, AnchorCoupling coupling) {
    groups = coupling.groups();
    rows = coupling.rows();
    groupOf = coupling.groupOf();
    codes = new long[groups];
    int stride = Math.max(1, binned.rows() / ROWS);
    double[] roots = new double[groups];
    for (int row = 0; row < binned.rows(); row += stride) {
      roots[groupOf[row]]++;
    }
    Arrays.setAll(roots, group -> Math.sqrt(roots[group]));
    double[][] apart = apart(binned, stride, roots);
    code(principal(apart), roots, 0);
    code(principal(apart), roots, HALF);
  }

  /** By group, from each threshold: how much more of it lies left than of all rows, by √n. */
  private double[][] apart(BinnedRows binned, int stride, double[] roots) {
    int width = binned.columns() * PARTS;
    double[][] apart = new double[groups][width];
    for (int column = 0; column < binned.columns(); column++) {
      BinColumn binOf = binned.column(column);
      int bins = binned.bins(column) + 1;
      for (int row = 0; row < binned.rows(); row += stride) {
        int part = (int) ((long) binOf.bin(row) * PARTS / bins);
        apart[groupOf[row]][column * PARTS + part]++;
      }
    }
    double rows = 0;
    for (double root : roots) {
      rows += root * root;
    }
    for (double[] ofGroup : apart) {
      for (int at = 0; at < width; at++) {
        ofGroup[at] += at % PARTS == 0 ? 0 : ofGroup[at - 1]; // all up to the part's end
      }
    }
    for (int at = 0; at < width; at++) {
      double left = 0;
      for (double[] ofGroup : apart) {
        left += ofGroup[at];
      }
      for (int group = 0; group < groups; group++) {
        double root = roots[group];
        apart[group][at] = root > 0 ? (apart[group][at] - left / rows * root * root) / root : 0;
      }
    }
    return apart;
  }

  /** The direction of groups in which they are apart most; takes it away. */
  private double[] principal(double[][] apart) {
    double[] direction = new double[groups];
    int longest = 0;
    double most = -1;
    for (int at = 0; at < apart[0].length; at++) {
      double square = 0;
      for (double[] ofGroup : apart) {
        square += ofGroup[at] * ofGroup[at];
      }
      longest = square > most ? at : longest;
      most = Math.max(most, square);
    }
    for (int group = 0; group < groups; group++) {
      direction[group] = apart[group][longest];
    }
    double[] along = new double[apart[0].length];
    for (int step = 0; step <= STEPS && normalise(direction); step++) {
      project(apart, direction, along);
      for (int group = 0; step < STEPS && group < groups; group++) {
        direction[group] = dot(apart[group], along);
      }
    }
    for (int group = 0; group < groups; group++) {
      for (int at = 0; at < along.length; at++) {
        apart[group][at] -= direction[group] * along[at];
      }
    }
    return direction;
  }

  private static void project(double[][] apart, double[] direction, double[] target) {
    Arrays.fill(target, 0);
    for (int group = 0; group < direction.length; group++) {
      for (int at = 0; at < target.length; at++) {
        target[at] += direction[group] * apart[group][at];
      }
    }
  }

  private static boolean normalise(double[] direction) {
    double length = Math.sqrt(dot(direction, direction));
    boolean some = length > 0;
    for (int k = 0; k < direction.length; k++) {
      direction[k] = some ? direction[k] / length : 0;
    }
    return some;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k];
    }
    return sum;
  }

  /** Takes a direction in whole numbers. */
  private void code(double[] direction, double[] roots, int shift) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (int group = 0; group < groups; group++) {
      if (roots[group] > 0) {
        direction[group] /= roots[group];
        least = Math.min(least, direction[group]);
        most = Math.max(most, direction[group]);
      }
    }
    for (int group = 0; group < groups && most > least; group++) {
      double place = Math.clamp((direction[group] - least) / (most - least), 0, 1);
      codes[group] |= Math.round(MOST * place) << shift;
    }
  }

  /** The numbers of a group's rows, for a hessian of one unit. */
  long code(int group) {
    return codes[group];
  }

  /** Whether sums over so many rows, in these units, stay in their halves, the highest bit free. */
  static boolean fits(PackedLayout layout) {
    return Math.max(layout.hessianBits(), layout.countBits()) + BITS < HALF;
  }

  /**
   * Turns to the next tree.
   *
   * @param factors (gamma − 1)/n of each group, 0 for those without rows
   * @param cells of the rows
   * @param target for each row's cell and numbers, as they were left
   * @return whether they are those of every row for a hessian of one unit
   */
  boolean start(
      double[] factors, PackedLayout layout, long[] cells, RowPartition sample, long[] target) {
    turn(factors);
    boolean equal = layout.hessianBits() == 0 && sample.size() == rows;
    if (equal && ofOnes) {
      for (int row = 0; row < rows; row++) {
        target[2 * row] = cells[row];
      }
      return true;
    }
    int shift = layout.hessianShift();
    long mask = layout.hessianMask();
    for (int k = 0; k < sample.size(); k++) {
      int row = sample.rows[k];
      long cell = cells[row];
      target[2 * row] = cell;
      target[2 * row + 1] = codes[groupOf[row]] * (cell >>> shift & mask);
    }
    ofOnes = equal;
    return equal;
  }

  /** As above, but for the rows. */
  void turn(double[] factors) {
    double weight = 0;
    double sum = 0;
    double secondSum = 0;
    for (int group = 0; group < groups; group++) {
      double n = factors[group] > 0 ? 1 / factors[group] : 0;
      weight += n;
      sum += n * first(codes[group]);
      secondSum += n * second(codes[group]);
    }
    share = weight > 0 ? 1 / weight : 0;
    mean = sum * share;
    secondMean = secondSum * share;
    double squares = 0;
    double products = 0;
    for (int group = 0; group < groups; group++) {
      double n = factors[group] > 0 ? 1 / factors[group] : 0;
      double d = first(codes[group]) - mean;
      squares += n * d * d;
      products += n * d * (second(codes[group]) - secondMean);
    }
    firstShare = squares > FLAT * weight ? 1 / squares : 0;
    slope = products * firstShare;
    double secondSquares = 0;
    for (int group = 0; group < groups; group++) {
      double n = factors[group] > 0 ? 1 / factors[group] : 0;
      double d = first(codes[group]) - mean;
      double e = second(codes[group]) - secondMean - slope * d;
      secondSquares += n * e * e;
    }
    secondShare = secondSquares > FLAT * weight ? 1 / secondSquares : 0;
  }

  /**
   * Turns to a leaf.
   *
   * @param sums its gradient, and the hessian of each group
   */
  void enter(double[] sums) {
    double hessian = 0;
    double along = 0;
    double second = 0;
    for (int group = 0; group < groups; group++) {
      double inGroup = sums[1 + group];
      double d = first(codes[group]) - mean;
      hessian += inGroup;
      along += inGroup * d;
      second += inGroup * (second(codes[group]) - secondMean - slope * d);
    }
    pull = share * hessian;
    firstPull = firstShare * along;
    secondPull = secondShare * second;
    square = pull * hessian + firstPull * along + secondPull * second;
  }

  /** About how the rows of a group pull on the leaf, for a hessian of 1. */
  double pull(int group) {
    double d = first(codes[group]) - mean;
    double e = second(codes[group]) - secondMean - slope * d;
    return pull + firstPull * d + secondPull * e;
  }

  /** Says the same in units, of the leaf turned to. */
  void tell(PackedLayout layout, ContrastBound target) {
    double steps = 1.0 / (1L << layout.hessianShift());
    double unit = layout.hessianUnit();
    target.put(ContrastBound.UNIT, steps);
    target.put(ContrastBound.MINUS_MEAN, -mean * steps);
    target.put(ContrastBound.MINUS_SECOND_MEAN, -secondMean * steps);
    target.put(ContrastBound.MINUS_SLOPE, -slope);
    target.put(ContrastBound.SHARE, share * unit * steps * steps);
    target.put(ContrastBound.FIRST_SHARE, firstShare * unit);
    target.put(ContrastBound.SECOND_SHARE, secondShare * unit);
    target.put(ContrastBound.PULL, (1 + pull) * steps);
    target.put(ContrastBound.FIRST_PULL, firstPull);
    target.put(ContrastBound.SECOND_PULL, secondPull);
  }

  private static double first(long sums) {
    return sums & LOW;
  }

  private static double second(long sums) {
    return sums >>> HALF;
  }

  /** At most Σ (gamma − 1) s_e² / n_e over the groups, s_e being the leaf's. */
  double square() {
    return square;
  }

  /**
   * Says of splits, from what goes left: its hessian, about what it pulls on itself, and about what
   * the leaf does on it: the sums of three products for one by group.
   *
   * @param lefts cells
   * @param sums of the rows' numbers
   * @param target for the first of these from 0 on, the others from {@link
   *     CoupledGain#MOST_WEIGHED} and twice that on
   */
  void weigh(PackedLayout layout, long[] lefts, long[] sums, int count, double[] target) {
    int shift = layout.hessianShift();
    long mask = layout.hessianMask();
    double unit = layout.hessianUnit();
    double c = share;
    double c1 = firstShare;
    double c2 = secondShare;
    double p = pull;
    double p1 = firstPull;
    double p2 = secondPull;
    double m = mean;
    double m2 = secondMean;
    double bySlope = slope;
    // By way of ints, which they fit into: vectors of 256 bits have no other way to doubles.
    for (int k = 0; k < count; k++) {
      target[k] = (int) (lefts[k] >>> shift & mask) * unit;
    }
    for (int k = 0; k < count; k++) {
      target[k + CoupledGain.MOST_WEIGHED] = (int) (sums[k] & LOW) * unit;
    }
    for (int k = 0; k < count; k++) {
      target[k + 2 * CoupledGain.MOST_WEIGHED] = (int) (sums[k] >>> HALF) * unit;
    }
    for (int k = 0; k < count; k++) {
      double hessian = target[k];
      double along = target[k + CoupledGain.MOST_WEIGHED] - m * hessian;
      double second = target[k + 2 * CoupledGain.MOST_WEIGHED] - m2 * hessian - bySlope * along;
      target[k + CoupledGain.MOST_WEIGHED] =
          c * hessian * hessian + c1 * along * along + c2 * second * second;
      target[k + 2 * CoupledGain.MOST_WEIGHED] = p * hessian + p1 * along + p2 * second;
    }
  }
}
