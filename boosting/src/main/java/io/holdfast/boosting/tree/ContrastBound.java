package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import java.util.Arrays;

/**
 * What {@link ContrastScan} has to know of a leaf beside {@link LeafConstants}, each number as many
 * times as a vector has lanes; and what it finds. Owned by the growing thread.
 */
final class ContrastBound {
  /*
   * With M = [L, B; B, R] of the two sides, coupled by contrasts, T = L + 2B + R the leaf's own
   * curvature, and a = L + B,
   *
   *   gᵀ M⁻¹ g = (G² + c²/d) / T,  c = G_L T − G a,  d = det M = T L − a²,
   *
   * so the splits of a leaf are in order of c²/d, which is compared without a division, and a is
   * linear in the sums of what goes left. All of it is in units of the layout, and hessians as they
   * stand in their field, 2^hessianShift times as large.
   *
   * d may cancel. Its T is taken to be smaller by LOST, far more than rounding comes to: so the
   * bound holds, and hardly is any wider, where d is above 0; and where it is not there is none.
   */
  private static final int TIMES = 4;
  private static final double LOST = 1e-9;

  // Where they stand.
  static final int MINUS_MEAN = 0;
  static final int MINUS_SECOND_MEAN = 4;
  static final int MINUS_SLOPE = 8;
  static final int UNIT = 12; // 2^−hessianShift
  static final int SHARE = 16;
  static final int FIRST_SHARE = 20;
  static final int SECOND_SHARE = 24;
  static final int PULL = 28; // and 1, of the hessian itself
  static final int FIRST_PULL = 32;
  static final int SECOND_PULL = 36;
  static final int CURVATURE = 40; // T
  static final int LESS_CURVATURE = 44;

  final double[] values = new double[48];

  // By lane, of the best split: c² and d.
  final double[] numerator = new double[PackedRows.LANES];
  final double[] denominator = new double[PackedRows.LANES];
  final long[] doubtful = new long[PackedRows.LANES]; // below 0 if there is no bound for some split

  final PlaneBests reached = new PlaneBests(); // what is left of the splits that are scanned

  private double square; // of the leaf's gradient
  private double scale;
  private double least;

  void put(int at, double value) {
    Arrays.fill(values, at, at + TIMES, value);
  }

  /**
   * Turns to a leaf.
   *
   * @param gradient in units
   * @param curvature its own, coupled, in units
   * @param times what makes gains of scores
   * @param leafGain what the leaf gains itself
   */
  void enter(double gradient, double curvature, double times, double leafGain) {
    put(CURVATURE, curvature);
    put(LESS_CURVATURE, curvature * (1 - LOST));
    square = gradient * gradient;
    scale = times / curvature;
    least = leafGain;
  }

  /** Writes what each lane's splits gain at most, of the lanes that {@code target} has room for. */
  void read(double[] target) {
    for (int lane = 0; lane < target.length; lane++) {
      target[lane] =
          doubtful[lane] < 0
              ? Double.POSITIVE_INFINITY
              : scale * (square + numerator[lane] / denominator[lane]) - least;
    }
  }
}
