package io.holdfast.boosting.tree;

import io.holdfast.boosting.Penalties;

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

  /**
   * The gain without λ₁, bounds or direction, in fewer operations, and a bit more than it is rather
   * than less. Where gamma is below 1 it is not asked for.
   */
  double about(double[] group) {
    double hessian = 0;
    double own = 0;
    double shared = 0;
    for (int k = 0; k < factors.length; k++) {
      double inGroup = group[1 + k];
      hessian += inGroup;
      own += factors[k] * inGroup * inGroup;
      shared += pulls[k] * inGroup;
    }
    double between = shared - own;
    double first = hessian + lambda2 + own;
    double second = totalHessian - hessian + lambda2 + pull - shared - between;
    double gradient = group[0];
    double other = total[0] - gradient;
    double determinant = first * second - between * between;
    double score =
        (gradient * (gradient * second - other * between)
                + other * (other * first - gradient * between))
            / determinant;
    double gain = 0.5 * (score - parentScore) - price;
    boolean safe = determinant > CANCELLED * first * second;
    return safe ? gain + ROUNDING * (score + parentScore) : HIGHEST;
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
