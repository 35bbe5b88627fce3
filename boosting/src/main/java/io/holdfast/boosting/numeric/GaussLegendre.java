package io.holdfast.boosting.numeric;

/** Gauss–Legendre quadrature on [0, 1], exact for polynomials of degree below twice the points. */
public final class GaussLegendre {
  /*
   * The points are the roots of the Legendre polynomial P_n, by Newton's method from Tricomi's
   * starting values; the weight of a root x is 2 / ((1 − x²) P_n'(x)²). Both are mapped from [−1, 1]
   * to [0, 1]. Roots come in pairs ±x, so a point t and its complement 1 − t are both kept: neither
   * is rounded by a subtraction.
   */
  private static final int MAX_STEPS = 20;
  private static final double ENOUGH = 1e-16;

  private final double[] points;
  private final double[] complements;
  private final double[] weights;

  /** The rule of that many points, 1 or more. */
  public GaussLegendre(int points) {
    if (points < 1) {
      throw new IllegalArgumentException("a quadrature must have at least 1 point: " + points);
    }
    this.points = new double[points];
    complements = new double[points];
    weights = new double[points];
    double total = 0;
    for (int k = 0; k < (points + 1) / 2; k++) {
      boolean middle = 2 * k + 1 == points;
      double root = middle ? 0 : root(points, k);
      double slope = valueAndSlope(points, root)[1];
      double weight = 1 / ((1 - root) * (1 + root) * slope * slope);
      set(k, 0.5 * (1 - root), 0.5 * (1 + root), weight);
      set(points - 1 - k, 0.5 * (1 + root), 0.5 * (1 - root), weight);
      total += middle ? weight : 2 * weight;
    }
    for (int k = 0; k < points; k++) {
      weights[k] /= total; // 1 but for rounding
    }
  }

  private void set(int k, double point, double complement, double weight) {
    points[k] = point;
    complements[k] = complement;
    weights[k] = weight;
  }

  /** The k-th largest root. */
  private static double root(int n, int k) {
    double angle = StrictMath.PI * (4 * k + 3) / (4.0 * n + 2);
    double shrunk = 1 - (n - 1) / (8.0 * n * n * n);
    double root = shrunk * StrictMath.cos(angle);
    for (int step = 0; step < MAX_STEPS; step++) {
      double[] polynomial = valueAndSlope(n, root);
      double change = polynomial[0] / polynomial[1];
      root -= change;
      if (Math.abs(change) <= ENOUGH) {
        break;
      }
    }
    return root;
  }

  private static double[] valueAndSlope(int n, double x) {
    double before = 0;
    double value = 1;
    for (int degree = 1; degree <= n; degree++) {
      double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
      before = value;
      value = next;
    }
    return new double[] {value, n * (before - x * value) / ((1 - x) * (1 + x))};
  }

  public int size() {
    return points.length;
  }

  /** A point t, ascending; inside (0, 1). */
  public double point(int k) {
    return points[k];
  }

  /** 1 − t, to full precision where t is near 1. */
  public double complement(int k) {
    return complements[k];
  }

  /** The weight of a point; above 0, and 1 in all. */
  public double weight(int k) {
    return weights[k];
  }
}
