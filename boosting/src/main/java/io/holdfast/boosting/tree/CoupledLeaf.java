package io.holdfast.boosting.tree;

import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A leaf that {@link CoupledKernel} searches: what its columns promise, and the best split so far.
 * Owned by the growing thread; others scan, and note promises, while it waits for them.
 */
final class CoupledLeaf {
  private static final double ROUNDING = 1e-9; // of scores
  private static final double SLACK = 1e-8; // of scores, beyond the rounding
  private static final long[] NUMERIC = {};

  final LeafScan scan = new LeafScan();
  private final GrowthSettings settings;
  private final TreeLimits limits;
  private final CoupledGain gains;
  private final SpreadLimit spread;
  private Promises promises;
  private final double[] sums; // scratch: gradient, and hessian of each group
  private final double[] bestSums;
  private double leastScore;
  private @Nullable Leaf leaf;
  private double gradient;
  private double hessian;
  private int rows;
  private double bestGain;
  private int bestColumn;
  private int bestSplit;
  private int bestRows;
  private boolean bestMissingLeft;

  CoupledLeaf(int columns, GrowthSettings settings, double[] factors) {
    this.settings = settings;
    limits = settings.limits();
    gains = new CoupledGain(settings.penalties(), factors);
    spread = new SpreadLimit(settings.penalties().leafPrice());
    promises = new Promises(columns);
    sums = new double[1 + factors.length];
    bestSums = new double[sums.length];
  }

  void enter(Leaf next, PackedLayout layout) {
    leaf = next;
    double[] totals = next.totals.sums();
    gradient = totals[0];
    hessian = gains.curvature(totals);
    rows = next.totals.rows();
    gains.enter(next.totals, next.lower, next.upper);
    scan.enter(
        new Totals(new double[] {gradient, hessian}, rows),
        gains.parentScore(),
        layout,
        limits,
        settings.penalties());
    bestGain = limits.minGain();
    bestColumn = -1;
  }

  /** Has contrasts turned to it, for bounds by them and for {@link #closer}. */
  void turn(GroupContrasts contrasts) {
    contrasts.enter(totals());
    spread.enter(totals(), gains, contrasts, settings.penalties().lambda2());
  }

  /** What a split gains at most that gains so much at most by contrasts. */
  double closer(double bound) {
    return spread.of(bound);
  }

  /** Goes on with these promises. */
  void take(Promises taken) {
    promises = taken;
  }

  Promises promises() {
    return promises;
  }

  CoupledGain gains() {
    return gains;
  }

  /** Its gradient, and the hessian of each group. */
  double[] totals() {
    return leaf().totals.sums();
  }

  private Leaf leaf() {
    return Objects.requireNonNull(leaf);
  }

  int from() {
    return leaf().from;
  }

  int to() {
    return leaf().to;
  }

  long[] histogram() {
    return Objects.requireNonNull(leaf().histogram);
  }

  /** The most that a split can gain whose left side has these sums. */
  double bound(double left, double leftHessian, double share) {
    double lambda2 = settings.penalties().lambda2();
    double right = gradient - left;
    double rightHessian = hessian - leftHessian;
    double a = left / (leftHessian + lambda2);
    double b = right / (rightHessian + lambda2);
    double score = left * a + right * b;
    double product = leftHessian * a + rightHessian * b;
    double square =
        leftHessian * leftHessian / (leftHessian + lambda2)
            + rightHessian * rightHessian / (rightHessian + lambda2);
    double bounded = score - share * product * product / (1 + share * square);
    double rounding = ROUNDING * (score + gains.parentScore());
    return 0.5 * (bounded - gains.parentScore() + rounding) - settings.penalties().leafPrice();
  }

  /** Has {@link #mayReach} look for splits whose bound with that c is {@code least} or more. */
  void reach(double least, double share) {
    double lambda2 = settings.penalties().lambda2();
    double fixed =
        lambda2 == 0 ? share * gradient * gradient / (1 + share * hessian) : 0; // what all lose
    leastScore =
        2 * (least + settings.penalties().leafPrice())
            + gains.parentScore()
            + fixed
            - SLACK * (gains.parentScore() + fixed);
  }

  /** False only if the bound of such a split is below what is to be reached. No division. */
  boolean mayReach(double left, double leftHessian) {
    double lambda2 = settings.penalties().lambda2();
    double right = gradient - left;
    double first = leftHessian + lambda2;
    double second = hessian - leftHessian + lambda2;
    return (left * left * second + right * right * first) * (1 + SLACK)
        >= leastScore * first * second;
  }

  /** Whether both sides are large enough. */
  boolean allows(int leftRows, double leftHessian) {
    return leftRows >= limits.minRows()
        && rows - leftRows >= limits.minRows()
        && leftHessian >= limits.minHessian()
        && hessian - leftHessian >= limits.minHessian();
  }

  int rows() {
    return rows;
  }

  double bestGain() {
    return bestGain;
  }

  /** Whether a split was taken. */
  boolean found() {
    return bestColumn >= 0;
  }

  /** Takes all splits of a column that were added up, those first that seem to gain most. */
  void offer(int column, GroupCells cells, int count, PackedLayout layout, long missing) {
    double[] about = cells.weigh(layout, gains);
    int most = 0;
    for (int k = 1; k < count; k++) {
      most = about[k] > about[most] ? k : most;
    }
    if (count > 0 && about[most] >= bestGain) {
      offer(column, cells.split(most), cells.read(most, layout, sums), missing);
      for (int k = 0; k < count; k++) {
        if (k != most && about[k] >= bestGain) {
          offer(column, cells.split(k), cells.read(k, layout, sums), missing);
        }
      }
    }
  }

  /**
   * Takes a split.
   *
   * @param cells by group, of what goes left
   */
  void offer(int column, int split, long[] cells, PackedLayout layout, long missing) {
    long all = 0;
    for (int group = 0; group < cells.length; group++) {
      all += cells[group];
      sums[1 + group] = layout.hessian(cells[group]);
    }
    sums[0] = layout.gradient(all);
    offer(column, split, layout.count(all), missing);
  }

  /*
   * Takes a split, whose sums are in `sums`, if it is better than the best so far; of equal
   * ones the lowest column's, the lowest threshold's, and the one with missing values right.
   */
  private void offer(int column, int split, int leftRows, long missing) {
    double gain = gains.gain(sums, 0);
    boolean earlier = column < bestColumn || (column == bestColumn && split < bestSplit);
    if ((gain > bestGain || (gain == bestGain && earlier)) && gain < Double.POSITIVE_INFINITY) {
      bestGain = gain;
      bestColumn = column;
      bestSplit = split;
      bestRows = leftRows;
      bestMissingLeft = missing == 0 ? leftRows >= rows - leftRows : (split & 1) != 0;
      System.arraycopy(sums, 0, bestSums, 0, sums.length);
    }
  }

  /** The best split that was offered, or {@link Split#NONE}. */
  Split best(BinnedRows binned) {
    if (bestColumn < 0) {
      return Split.NONE;
    }
    int bin = bestSplit >> 1;
    double threshold =
        bin < binned.bins(bestColumn) - 1
            ? binned.threshold(bestColumn, bin)
            : Double.POSITIVE_INFINITY;
    Totals left = new Totals(bestSums.clone(), bestRows);
    return new Split(
        bestColumn, bestGain, threshold, bin, NUMERIC, bestMissingLeft, left, 0, Double.NaN);
  }
}
