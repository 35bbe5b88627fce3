package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.histogram.Totals;

/** The gain with one value a leaf, both children coupled; channels as in AnchorChannels. */
final class AnchoredGain extends SplitGain {
  /*
   * With s_{e,x} the hessian of group e in child x and c_xy = (gamma − 1) Σ_e s_{e,x} s_{e,y} / n_e,
   * the children's steps minimise the quadratic of the gradients (G_a, G_b) and the matrix
   * [S_a + λ₂ + c_aa, c_ab; c_ab, S_b + λ₂ + c_bb], the parent's that of G and S + λ₂ + c_ll. The
   * steps of other leaves are taken to be 0. With bounds the steps are clamped afterwards, so that
   * the gain is one that can be had, if not the largest.
   */
  private static final int SWEEPS = 12;

  private final double[] factors;
  private final PairQuadratic pair;
  private double[] total = {};
  private double totalHessian;
  private double parentScore;
  private double lower;
  private double upper;

  /** Reads {@code factors}, which {@link AnchorCoupling#factors} writes, at each call. */
  AnchoredGain(Penalties penalties, double[] factors) {
    super(penalties);
    this.factors = factors;
    pair = new PairQuadratic(lambda1);
  }

  @Override
  void enter(Totals leafTotal, double leafLower, double leafUpper) {
    total = leafTotal.sums();
    lower = leafLower;
    upper = leafUpper;
    totalHessian = curvature(total);
    double plain = totalHessian + lambda2;
    double pull = 0; // c_ll
    for (int group = 0; group < factors.length; group++) {
      pull += factors[group] * total[1 + group] * total[1 + group];
    }
    double coupled = plain + pull;
    boolean curved = plain > 0 && coupled > PairQuadratic.FLAT * plain;
    double step = cut(curved ? -soft(total[0]) / coupled : 0);
    double quadratic = (curved ? coupled : 0) * step * step;
    parentScore = -(2 * total[0] * step + quadratic + 2 * lambda1 * Math.abs(step));
  }

  @Override
  double gain(double[] group, int direction) {
    minimise(group);
    double step = cut(pair.first);
    double otherStep = cut(pair.second);
    if (direction * (otherStep - step) < 0) {
      return REFUSED;
    }
    return 0.5 * (pair.score(step, otherStep) - parentScore) - price;
  }

  @Override
  double middle(double[] group) {
    minimise(group);
    return 0.5 * (cut(pair.first) + cut(pair.second));
  }

  @Override
  double curvature(double[] sums) {
    return hessian(0, sums, 0);
  }

  /** By G/H, and by the steps that all categories together would take after the coupling. */
  @Override
  int orders() {
    return 2;
  }

  @Override
  boolean ordersSayAll() {
    return false;
  }

  /*
   * Order 1: the steps β_c of the categories minimise
   *
   *   Σ_c [G_c β_c + ½ S_c β_c² + ½ SMOOTHING (β_c − β)²] + ½ Σ_e f_e (Σ_c s_{e,c} β_c)²,
   *
   * β being the leaf's own step and f_e = (gamma − 1) / n_e: a category that only tells environments
   * apart is held back, as its side of a split would be. Solved by Gauss–Seidel sweeps, which need
   * not converge, since only the order is used.
   */
  @Override
  void keys(int order, double[] total, double[] sums, int[] bins, int count, double[] keys) {
    super.keys(0, total, sums, bins, count, keys);
    if (order == 0) {
      return;
    }
    double coupled = curvature(total) + lambda2;
    for (int group = 0; group < factors.length; group++) {
      coupled += factors[group] * total[1 + group] * total[1 + group];
    }
    double mean = coupled > 0 ? total[0] / coupled : 0; // −β
    double[] pulls = new double[factors.length]; // −Σ_c s_{e,c} β_c
    for (int k = 0; k < count; k++) {
      keys[bins[k]] = mean;
      for (int group = 0; group < factors.length; group++) {
        pulls[group] += sums[bins[k] * total.length + 1 + group] * mean;
      }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      for (int k = 0; k < count; k++) {
        keys[bins[k]] = step(bins[k] * total.length, sums, mean, keys[bins[k]], pulls);
      }
    }
  }

  /** One category's step, given those of the others in {@code pulls}, which it updates. */
  private double step(int first, double[] sums, double mean, double before, double[] pulls) {
    double slope = sums[first] + SMOOTHING * mean;
    double curvature = SMOOTHING;
    for (int group = 0; group < factors.length; group++) {
      double hessian = sums[first + 1 + group];
      double pull = factors[group] * hessian;
      slope -= pull * (pulls[group] - hessian * before);
      curvature += hessian + pull * hessian;
    }
    double step = slope / Math.max(curvature, SMOOTHING);
    if (!Double.isFinite(step)) {
      return before;
    }
    for (int group = 0; group < factors.length; group++) {
      pulls[group] += sums[first + 1 + group] * (step - before);
    }
    return step;
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

  /** The minimum of ½ βᵀMβ + gᵀβ + λ₁‖β‖₁ over two values. Scratch is reused: not thread-safe. */
  static final class PairQuadratic {
    /*
     * M is a diagonal plus a coupling. A coupling of negative strength can cancel the diagonal up to
     * rounding, as at the root when gamma is 0, or outweigh it. A direction without curvature gains
     * nothing, as a leaf without curvature in the plain score: where M is not positive definite its
     * positive part takes its place.
     */

    /** The share of a curvature that counts as rounding. */
    static final double FLAT = 1e-10;

    private final double lambda1;
    private double firstGradient;
    private double secondGradient;
    private double firstCurvature;
    private double mixedCurvature;
    private double secondCurvature;
    double first; // of the two minimising values
    double second;

    PairQuadratic(double lambda1) {
      this.lambda1 = lambda1;
    }

    /** Sets both minimising values. M = [plainA + own, between; between, plainB + others]. */
    void minimise(
        double gradientA,
        double gradientB,
        double plainA,
        double plainB,
        double own,
        double between,
        double others) {
      firstGradient = gradientA;
      secondGradient = gradientB;
      firstCurvature = plainA + own;
      secondCurvature = plainB + others;
      mixedCurvature = between;
      double product = firstCurvature * secondCurvature;
      double determinant = product - between * between;
      if (firstCurvature > FLAT * plainA
          && secondCurvature > FLAT * plainB
          && firstCurvature > 0
          && secondCurvature > 0
          && determinant > FLAT * product) {
        if (lambda1 == 0) {
          take(determinant, gradientA, gradientB);
        } else {
          sparse(determinant);
        }
      } else {
        takePositivePart(Math.abs(plainA) + Math.abs(plainB) + Math.abs(own) + Math.abs(others));
      }
    }

    /** Twice what the quadratic falls by from 0 to these values. */
    double score(double a, double b) {
      double quadratic =
          firstCurvature * a * a + 2 * mixedCurvature * a * b + secondCurvature * b * b;
      return -(2 * (firstGradient * a + secondGradient * b)
          + quadratic
          + 2 * lambda1 * (Math.abs(a) + Math.abs(b)));
    }

    private void take(double determinant, double gradientA, double gradientB) {
      first = (mixedCurvature * gradientB - secondCurvature * gradientA) / determinant;
      second = (mixedCurvature * gradientA - firstCurvature * gradientB) / determinant;
    }

    /** With λ₁: the best of both values 0, one 0, and none 0 with each of four pairs of signs. */
    private void sparse(double determinant) {
      double bestA = 0;
      double bestB = 0;
      double best = 0;
      for (int signs = 0; signs < 6; signs++) {
        if (signs == 4) {
          first = -soft(firstGradient) / firstCurvature;
          second = 0;
        } else if (signs == 5) {
          first = 0;
          second = -soft(secondGradient) / secondCurvature;
        } else {
          take(
              determinant,
              firstGradient + ((signs & 1) == 0 ? lambda1 : -lambda1),
              secondGradient + ((signs & 2) == 0 ? lambda1 : -lambda1));
        }
        double score = score(first, second);
        if (score > best) {
          best = score;
          bestA = first;
          bestB = second;
        }
      }
      first = bestA;
      second = bestB;
    }

    /** The eigenvalue that is above 0, if there is one, with its direction. */
    private void takePositivePart(double scale) {
      double mean = 0.5 * (firstCurvature + secondCurvature);
      double difference = 0.5 * (firstCurvature - secondCurvature);
      double radius = Math.sqrt(difference * difference + mixedCurvature * mixedCurvature);
      double highest = mean + radius;
      // Of two forms of the eigenvector, the one that does not cancel.
      double a = difference >= 0 ? difference + radius : mixedCurvature;
      double b = difference >= 0 ? mixedCurvature : radius - difference;
      double square = a * a + b * b;
      if (!(highest > FLAT * scale) || !(square > 0)) {
        highest = 0;
        square = 1;
        a = 0;
        b = 0;
      }
      double slope = (a * soft(firstGradient) + b * soft(secondGradient)) / square;
      first = highest > 0 ? -slope * a / highest : 0;
      second = highest > 0 ? -slope * b / highest : 0;
      firstCurvature = highest * a * a / square;
      mixedCurvature = highest * a * b / square;
      secondCurvature = highest * b * b / square;
    }

    private double soft(double gradient) {
      return Math.copySign(Math.max(Math.abs(gradient) - lambda1, 0), gradient);
    }
  }
}
