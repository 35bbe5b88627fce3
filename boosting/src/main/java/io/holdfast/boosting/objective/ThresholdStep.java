package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Cholesky;
import io.holdfast.boosting.objective.OrdinalLink.OrdinalTerms;
import java.util.Arrays;

/** One damped Newton step of ordinal thresholds at fixed raw scores. Not thread-safe. */
final class ThresholdStep {
  /*
   * Parameters are (θ_1, log gap_1, ..., log gap_{K−2}), gap_k being the width of class k, so that
   * thresholds always increase. The Hessian is collected in z = (θ_1, gap_1, ..., gap_{K−2}), in
   * which the loss is convex: that of class k depends on its lower threshold θ_k = z_0 + ... +
   * z_{k−1} (the first class on θ_1, its upper one) and on its gap z_k. Logs add the slope in each
   * log gap to the diagonal; where that leaves the matrix indefinite, slopes below 0 are dropped,
   * and where rounding leaves it singular a ridge is added.
   *
   * The gap of a class without rows stays, as does a threshold with no rows on one side: the loss
   * would only push them to infinity.
   */
  private static final int MOST_HALVINGS = 30;
  private static final int MOST_RIDGES = 12;

  // A gap changes by a factor of e^2 a step at most.
  private static final double LARGEST_LOG_CHANGE = 2;

  private final Ordinal current;
  private final int size;
  private double loss;
  private final double[] weight;
  private final double[] shiftSlope;
  private final double[] shiftCurvature;
  private final double[] gapSlope;
  private final double[] shiftAndGap;
  private final double[] gapCurvature;

  private ThresholdStep(Ordinal current, Rows rows, double[] scores) {
    this.current = current;
    size = current.thresholds().size();
    int classes = current.classes();
    weight = new double[classes];
    shiftSlope = new double[classes];
    shiftCurvature = new double[classes];
    gapSlope = new double[classes];
    shiftAndGap = new double[classes];
    gapCurvature = new double[classes];
    for (int row = 0; row < rows.size(); row++) {
      double w = rows.weight(row);
      int k = (int) rows.label(row);
      OrdinalTerms terms = current.terms(k, scores[row]);
      weight[k] += w;
      shiftSlope[k] -= w * terms.first();
      shiftCurvature[k] += w * terms.second();
      gapSlope[k] += w * terms.upperSlope();
      shiftAndGap[k] += w * terms.shiftAndGap();
      gapCurvature[k] += w * terms.gapCurvature();
    }
    loss = current.totalLoss(rows, scores);
  }

  /** The objective with thresholds of lower loss, or {@code current} if none are found. */
  static Ordinal from(Ordinal current, Rows rows, double[] scores) {
    return new ThresholdStep(current, rows, scores).halved(rows, scores);
  }

  private Ordinal halved(Rows rows, double[] scores) {
    double[] step = newtonStep();
    double fraction = 1;
    for (int k = 1; k < size; k++) {
      fraction = Math.min(fraction, LARGEST_LOG_CHANGE / Math.abs(step[k]));
    }
    for (int halving = 0; halving <= MOST_HALVINGS; halving++, fraction *= 0.5) {
      double[] moved = moved(step, fraction);
      if (!increasing(moved)) {
        continue;
      }
      Ordinal candidate = new Ordinal(current.classes(), current.link(), Thresholds.of(moved));
      if (candidate.totalLoss(rows, scores) < loss) {
        return candidate;
      }
    }
    return current;
  }

  private double[] moved(double[] step, double fraction) {
    double[] moved = new double[size];
    moved[0] = current.thresholds().above(0) - fraction * step[0];
    for (int k = 1; k < size; k++) {
      double gap = current.thresholds().gap(k) * StrictMath.exp(-fraction * step[k]);
      moved[k] = moved[k - 1] + gap;
    }
    return moved;
  }

  /** Also false if one is not finite, or a gap so small that it rounds away. */
  private static boolean increasing(double[] values) {
    for (int k = 0; k < values.length; k++) {
      if (!Double.isFinite(values[k]) || (k > 0 && !(values[k] > values[k - 1]))) {
        return false;
      }
    }
    return true;
  }

  /** H⁻¹ g in the parameters; to be subtracted. */
  private double[] newtonStep() {
    double[] gradient = gradient();
    double[] hessian = hessian();
    boolean[] held = held();
    for (int j = 0; j < size; j++) {
      if (held[j]) {
        gradient[j] = 0;
        for (int i = 0; i < size; i++) {
          hessian[i * size + j] = 0;
          hessian[j * size + i] = 0;
        }
        hessian[j * size + j] = 1;
      }
    }
    double[] step = new double[size];
    double[] factor = new double[size * size];
    double ridge = 0;
    for (int attempt = 0; attempt < MOST_RIDGES; attempt++) {
      System.arraycopy(hessian, 0, factor, 0, factor.length);
      for (int j = 1; j < size; j++) {
        factor[j * size + j] += attempt == 0 ? gradient[j] : Math.max(gradient[j], 0);
      }
      for (int j = 0; j < size; j++) {
        factor[j * size + j] += ridge * hessian[j * size + j];
      }
      if (Cholesky.factor(factor, size)) {
        System.arraycopy(gradient, 0, step, 0, size);
        Cholesky.solve(factor, size, step);
        return step;
      }
      ridge = attempt == 0 ? 0 : Math.max(1e-10, 10 * ridge);
    }
    Arrays.fill(step, 0);
    return step;
  }

  /** In (θ_1, log gaps). */
  private double[] gradient() {
    double[] gradient = new double[size];
    double sum = 0;
    for (int j = size - 1; j >= 0; j--) {
      sum += shiftSlope[j + 1];
      gradient[j] = j == 0 ? sum + shiftSlope[0] : scale(j) * (sum + gapSlope[j]);
    }
    return gradient;
  }

  /** In (θ_1, log gaps), without the slopes that logs add; the lower triangle. */
  private double[] hessian() {
    double[] hessian = new double[size * size];
    double sum = 0;
    for (int i = size - 1; i >= 0; i--) {
      sum += shiftCurvature[i + 1];
      for (int j = 0; j < i; j++) {
        hessian[i * size + j] = scale(i) * scale(j) * (sum + shiftAndGap[i]);
      }
      double diagonal = i == 0 ? sum + shiftCurvature[0] : sum + gapCurvature[i];
      hessian[i * size + i] = scale(i) * scale(i) * diagonal;
    }
    return hessian;
  }

  /** dz/dη. */
  private double scale(int j) {
    return j == 0 ? 1 : current.thresholds().gap(j);
  }

  private boolean[] held() {
    boolean[] held = new boolean[size];
    for (int j = 0; j < size; j++) {
      held[j] = weight[j] == 0;
    }
    for (int k = size; k > 0 && weight[k] == 0; k--) {
      held[k - 1] = true;
    }
    return held;
  }
}
