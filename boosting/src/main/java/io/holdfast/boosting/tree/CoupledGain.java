package io.holdfast.boosting.tree;

import io.holdfast.boosting.Penalties;
import java.util.Arrays;

/**
 * Of one value a leaf, both children coupled by a categorical anchor. Channels are the gradient,
 * and the hessian of each group of rows.
 */
final class CoupledGain extends SplitGain {
  /*
   * With s_{e,x} the hessian of group e in child x and c_xy = (gamma − 1) Σ_e s_{e,x} s_{e,y} / n_e,
   * the children's steps minimise the quadratic of the gradients (G_a, G_b) and the matrix
   * [S_a + λ₂ + c_aa, c_ab; c_ab, S_b + λ₂ + c_bb], the parent's that of G and S + λ₂ + c_ll. Other
   * leaves are taken to stand still. PairQuadratic says what becomes of systems that are not
   * positive definite.
   *
   * The steps are cut to the leaf's bounds afterwards, so that with bounds the gain is what can be
   * had, if not the most.
   */
  private static final double ROUNDING = 1e-9;
  private static final double CANCELLED = 1e-5;

  /**
   * How many splits can be weighed at once: of 255 thresholds, with missing values on either side.
   */
  static final int MOST_WEIGHED = 528;

  private static final double HIGHEST = Double.POSITIVE_INFINITY;

  private final double[] factors;
  private final PairQuadratic pair;
  private double[] total = {};
  private double totalHessian;
  private final double[] pulls; // of each group on the leaf: (gamma − 1) s_{e,l} / n_e
  private double pull; // c_ll
  private double parentScore;
  private double lower;
  private double upper;
  private int weighing; // splits
  private final double[] work = new double[4 * MOST_WEIGHED];

  /**
   * A gain that reads {@code factors} whenever it is asked.
   *
   * @param factors (gamma − 1)/n of each group, as {@link AnchorCoupling#factors} writes them
   */
  CoupledGain(Penalties penalties, double[] factors) {
    super(penalties);
    this.factors = factors;
    pair = new PairQuadratic(lambda1);
    pulls = new double[factors.length];
  }

  @Override
  void enter(Totals leafTotal, double leafLower, double leafUpper) {
    total = leafTotal.sums();
    lower = leafLower;
    upper = leafUpper;
    totalHessian = curvature(total);
    double plain = totalHessian + lambda2;
    pull = 0;
    for (int group = 0; group < factors.length; group++) {
      pulls[group] = factors[group] * total[1 + group];
      pull += pulls[group] * total[1 + group];
    }
    double coupled = plain + pull;
    boolean curved = plain > 0 && coupled > PairQuadratic.FLAT * plain;
    double step = cut(curved ? -soft(total[0]) / coupled : 0);
    parentScore =
        -(2 * total[0] * step
            + (curved ? coupled : 0) * step * step
            + 2 * lambda1 * Math.abs(step));
  }

  /*
   * Many splits at once: about the gain without λ₁, bounds or direction, and a bit more than it is
   * rather than less. Where gamma is below 1 it is not asked for. The compiler makes vectors of these
   * loops if all that they write stands in one array, at distances that are constants: sums in arrays
   * of their own took twice the time. For vectors of 256 bits whole numbers have to come to doubles
   * by way of ints, which hold every hessian (and half the time of each group's loop), or in a loop
   * of their own, as gradients do, which may have more bits (a third less of all that bounds take).
   */

  /** Starts on so many splits, at most {@link #MOST_WEIGHED}. */
  void startWeighing(int count) {
    weighing = count;
    Arrays.fill(work, 0, count, 0);
    Arrays.fill(work, MOST_WEIGHED, MOST_WEIGHED + count, 0);
    Arrays.fill(work, 2 * MOST_WEIGHED, 2 * MOST_WEIGHED + count, 0);
  }

  /**
   * Takes a group.
   *
   * @param cells of what goes left of it, split by split, from {@code from} on
   */
  void weigh(int group, long[] cells, int from, PackedLayout layout) {
    double[] sums = work;
    int shift = layout.hessianShift();
    long mask = layout.hessianMask();
    double unit = layout.hessianUnit();
    double factor = factors[group];
    double pullOfGroup = pulls[group];
    int count = weighing;
    for (int k = 0; k < count; k++) {
      double hessian = (int) (cells[from + k] >>> shift & mask) * unit;
      sums[k] += hessian;
      sums[k + MOST_WEIGHED] += factor * hessian * hessian;
      sums[k + 2 * MOST_WEIGHED] += pullOfGroup * hessian;
    }
  }

  /**
   * Says about what each split gains, once all groups were taken: in the array's first entries,
   * until the next start.
   *
   * @param lefts the cells of all groups of what goes left, split by split
   */
  double[] weighed(long[] lefts, PackedLayout layout) {
    return scores(lefts, layout, pull);
  }

  /**
   * Says what splits gain at most, as {@link #weighed} does.
   *
   * @param lefts the cells of what goes left, split by split
   * @param contrastSums the sums of the rows' contrasts, likewise
   * @param contrasts which have been turned to the leaf
   */
  double[] bounds(
      int count, long[] lefts, long[] contrastSums, PackedLayout layout, GroupContrasts contrasts) {
    weighing = count;
    contrasts.weigh(layout, lefts, contrastSums, count, work);
    return scores(lefts, layout, contrasts.square());
  }

  /** From the sums in {@code work}, of a leaf that pulls so much on itself. */
  private double[] scores(long[] lefts, PackedLayout layout, double pullOfLeaf) {
    double[] sums = work;
    int shift = layout.gradientShift();
    double unit = layout.gradientUnit();
    double ofLeaf = total[0];
    double ridge = lambda2;
    double curvature = totalHessian + lambda2 + pullOfLeaf;
    double scale = 0.5 * (1 + 2 * ROUNDING);
    double least = 0.5 * (1 - 2 * ROUNDING) * parentScore + price;
    int count = weighing;
    for (int k = 0; k < count; k++) {
      sums[k + 3 * MOST_WEIGHED] = (lefts[k] >> shift) * unit;
    }
    for (int k = 0; k < count; k++) {
      double own = sums[k + MOST_WEIGHED];
      double between = sums[k + 2 * MOST_WEIGHED] - own;
      double first = sums[k] + ridge + own;
      double second = curvature - sums[k] - sums[k + 2 * MOST_WEIGHED] - between;
      double gradient = sums[k + 3 * MOST_WEIGHED];
      double other = ofLeaf - gradient;
      double product = first * second;
      double determinant = product - between * between;
      double score =
          (gradient * (gradient * second - other * between)
                  + other * (other * first - gradient * between))
              / determinant;
      sums[k] = scale * score - least;
      sums[k + MOST_WEIGHED] = determinant - CANCELLED * product;
    }
    // In a loop of its own: the compiler makes no vectors of choices.
    for (int k = 0; k < count; k++) {
      if (!(sums[k + MOST_WEIGHED] > 0)) {
        sums[k] = HIGHEST;
      }
    }
    return sums;
  }

  /** Tells what {@link #bounds} knows of the leaf. */
  void tell(PackedLayout layout, GroupContrasts contrasts, ContrastBound target) {
    contrasts.tell(layout, target);
    target.enter(
        total[0] / layout.gradientUnit(),
        (totalHessian + 2 * lambda2 + contrasts.square()) / layout.hessianUnit(),
        times(layout),
        0.5 * (1 - 2 * ROUNDING) * parentScore + price);
  }

  /** Tells what the leaf's own profile says of its splits. */
  void tell(PackedLayout layout, LeafProfile profile, ProfileBound target) {
    profile.tell(layout, target);
    target.enter(
        total[0] / layout.gradientUnit(),
        (totalHessian + 2 * lambda2 + profile.square()) / layout.hessianUnit(),
        lambda2 / layout.hessianUnit(),
        times(layout),
        0.5 * (1 - 2 * ROUNDING) * parentScore + price);
  }

  /** What makes gains, and rather more, of scores in units. */
  private static double times(PackedLayout layout) {
    double unit = layout.gradientUnit() / layout.hessianUnit() * layout.gradientUnit();
    return 0.5 * (1 + 2 * ROUNDING) * unit;
  }

  /** The leaf's own. */
  double gradient() {
    return total[0];
  }

  /** The curvature of the leaf itself, coupled, with the penalty of both sides. */
  double coupledCurvature() {
    return totalHessian + 2 * lambda2 + pull;
  }

  /** How the leaf pulls on itself: Σ (gamma − 1) s_e² / n_e. */
  double pullOfLeaf() {
    return pull;
  }

  /** How a group of rows pulls on the leaf, for a hessian of 1. */
  double pull(int group) {
    return pulls[group];
  }

  /**
   * What c²/d, of all groups, is at least where a split gains so much: see {@link ContrastBound}.
   */
  double ratio(double gain) {
    double score = (2 * (gain + price) + (1 - 2 * ROUNDING) * parentScore) / (1 + 2 * ROUNDING);
    return Math.max(0, score * coupledCurvature() - total[0] * total[0]);
  }

  /** Twice what the leaf itself gains. */
  double parentScore() {
    return parentScore;
  }

  @Override
  double gain(double[] group, int direction) {
    minimise(group);
    double step = cut(pair.first());
    double otherStep = cut(pair.second());
    if (direction * (otherStep - step) < 0) {
      return REFUSED;
    }
    return 0.5 * (pair.score(step, otherStep) - parentScore) - price;
  }

  @Override
  double middle(double[] group) {
    minimise(group);
    return 0.5 * (cut(pair.first()) + cut(pair.second()));
  }

  @Override
  double curvature(double[] sums) {
    double curvature = 0;
    for (int channel = 1; channel < sums.length; channel++) {
      curvature += sums[channel];
    }
    return curvature;
  }

  @Override
  int orders() {
    return 1;
  }

  @Override
  double gradient(int order, double[] sums, int firstChannel) {
    return sums[firstChannel];
  }

  @Override
  double hessian(int order, double[] sums, int firstChannel) {
    double hessian = 0;
    for (int group = 0; group < factors.length; group++) {
      hessian += sums[firstChannel + 1 + group];
    }
    return hessian;
  }

  private void minimise(double[] group) {
    double hessian = 0;
    double own = 0;
    double between = 0;
    double others = 0;
    for (int k = 0; k < factors.length; k++) {
      double inGroup = group[1 + k];
      double outside = total[1 + k] - inGroup;
      hessian += inGroup;
      own += factors[k] * inGroup * inGroup;
      between += factors[k] * inGroup * outside;
      others += factors[k] * outside * outside;
    }
    pair.minimise(
        group[0],
        total[0] - group[0],
        hessian + lambda2,
        totalHessian - hessian + lambda2,
        own,
        between,
        others);
  }

  private double cut(double step) {
    return Math.min(Math.max(step, lower), upper);
  }
}
