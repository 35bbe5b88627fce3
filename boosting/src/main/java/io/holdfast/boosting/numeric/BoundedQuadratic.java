package io.holdfast.boosting.numeric;

/**
 * Minimises a convex quadratic with an l1 penalty and bounds: ½ xᵀ A x + gᵀ x + λ Σ|x_j| over lower
 * ≤ x ≤ upper. One use each; not thread-safe.
 */
public final class BoundedQuadratic {
  /*
   * Coordinate descent first: each coordinate in turn takes its least value, the others being held.
   * That soon finds most of the coordinates that end at a kink, 0 or a bound, but is slow to find
   * the values of the others where A couples them stiffly. So an active-set method goes on from
   * there: with some coordinates held at their kinks, the free ones step to the solution of their
   * linear system, or as far as the first of them meets a kink, where it is held from then on. When
   * they are there, the held coordinate with the largest pull off its kink is set free, on that side;
   * if there is none, the minimum is found. The function never rises, so any stop is safe.
   *
   * Where A is singular in the free coordinates, a small ridge on the step makes up for it: along a
   * flat direction that the penalty slopes in, the step is very long, and ends at a kink.
   */
  private static final int SWEEPS = 16;
  private static final double PULL_ROUNDING = 1e-12; // of the terms that a slope is summed from
  private static final double FIRST_RIDGE = 1e-10; // of the largest diagonal entry

  private final double[] matrix;
  private final double[] linear;
  private final double lambda;
  private final double[] lower;
  private final double[] upper;
  private final double[] x;
  private final int n;
  private final double[] slope; // of the quadratic
  private final double[] terms; // sizes of the terms of slope, added up
  private final boolean[] held;
  private final double[] side; // of 0 that a free coordinate is on: its sign

  private BoundedQuadratic(
      double[] matrix, double[] linear, double lambda, double[] lower, double[] upper, double[] x) {
    this.matrix = matrix;
    this.linear = linear;
    this.lambda = lambda;
    this.lower = lower;
    this.upper = upper;
    this.x = x;
    n = x.length;
    slope = new double[n];
    terms = new double[n];
    held = new boolean[n];
    side = new double[n];
  }

  /** T(x) of docs/math.md: x shrunk towards 0 by {@code threshold}. */
  public static double softThreshold(double x, double threshold) {
    return Math.abs(x) <= threshold ? 0 : x - Math.copySign(threshold, x);
  }

  /**
   * Overwrites {@code x} with the minimum; if there is none, since the matrix is not semidefinite,
   * with something within the bounds.
   *
   * @param matrix A, n × n, symmetric
   * @param linear g
   * @param lambda of the l1 penalty, 0 or more
   * @param lower bounds, may be −∞; none above its upper one
   * @param upper bounds, may be +∞
   * @param x the n values to start from; need not be within the bounds
   */
  public static void minimise(
      double[] matrix, double[] linear, double lambda, double[] lower, double[] upper, double[] x) {
    var quadratic = new BoundedQuadratic(matrix, linear, lambda, lower, upper, x);
    quadratic.descend();
    quadratic.finish();
  }

  private void descend() {
    for (int j = 0; j < n; j++) {
      x[j] = Math.clamp(x[j], lower[j], upper[j]);
    }
    updateSlope();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      for (int j = 0; j < n; j++) {
        double curvature = matrix[j * n + j];
        if (curvature > 0) { // else flat: semidefiniteness makes its whole row 0
          double pull = softThreshold(curvature * x[j] - slope[j], lambda);
          move(j, Math.clamp(pull / curvature, lower[j], upper[j]));
        }
      }
    }
  }

  private void move(int j, double value) {
    double change = value - x[j];
    if (change != 0) {
      x[j] = value;
      for (int i = 0; i < n; i++) {
        slope[i] += matrix[j * n + i] * change;
      }
    }
  }

  private void finish() {
    for (int j = 0; j < n; j++) {
      held[j] = x[j] == lower[j] || x[j] == upper[j] || (lambda > 0 && x[j] == 0);
      side[j] = Math.signum(x[j]);
    }
    for (int step = 0; step < 100 + 10 * n; step++) {
      updateSlope();
      boolean exact = stepFree();
      updateSlope();
      if (exact && !release()) {
        return;
      }
    }
  }

  /** Moves the free coordinates; returns whether their slopes are 0 there. */
  private boolean stepFree() {
    int[] free = new int[n];
    int count = 0;
    double largest = 0;
    for (int j = 0; j < n; j++) {
      if (!held[j]) {
        free[count++] = j;
        largest = Math.max(largest, matrix[j * n + j]);
      }
    }
    double[] direction = new double[count];
    for (int a = 0; a < count; a++) {
      direction[a] = -slope[free[a]] - lambda * side[free[a]];
    }
    double ridge = 0;
    double[] system = systemOf(free, count, ridge);
    while (!Cholesky.factor(system, count)) {
      ridge = ridge == 0 ? FIRST_RIDGE * (largest > 0 ? largest : 1) : 10 * ridge;
      if (!(ridge < Double.POSITIVE_INFINITY)) {
        return true; // not semidefinite, or not finite
      }
      system = systemOf(free, count, ridge);
    }
    Cholesky.solve(system, count, direction);
    int first = -1;
    double length = 1;
    double kink = 0;
    for (int a = 0; a < count; a++) {
      int j = free[a];
      double end = direction[a] > 0 ? highest(j) : lowest(j);
      double part = Math.max((end - x[j]) / direction[a], 0);
      if (direction[a] != 0 && part < length) {
        first = j;
        length = part;
        kink = end;
      }
    }
    for (int a = 0; a < count; a++) {
      x[free[a]] += length * direction[a];
    }
    if (first >= 0) {
      x[first] = kink;
      held[first] = true;
    }
    return first < 0;
  }

  private double[] systemOf(int[] free, int count, double ridge) {
    double[] system = new double[count * count];
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < count; b++) {
        system[a * count + b] = matrix[free[a] * n + free[b]];
      }
      system[a * count + a] += ridge;
    }
    return system;
  }

  /** The kink that a free coordinate meets on its way up. */
  private double highest(int j) {
    return lambda > 0 && side[j] < 0 ? Math.min(upper[j], 0) : upper[j];
  }

  private double lowest(int j) {
    return lambda > 0 && side[j] > 0 ? Math.max(lower[j], 0) : lower[j];
  }

  /** Frees the held coordinate with the largest pull; returns whether there is one. */
  private boolean release() {
    int hardest = -1;
    double hardestPull = 0;
    double direction = 0;
    for (int j = 0; j < n; j++) {
      if (held[j]) {
        double slack = PULL_ROUNDING * terms[j];
        double up = -slope[j] - (x[j] < 0 ? -lambda : lambda) - slack;
        double down = slope[j] + (x[j] > 0 ? lambda : -lambda) - slack;
        if (x[j] < upper[j] && up > hardestPull) {
          hardest = j;
          hardestPull = up;
          direction = 1;
        }
        if (x[j] > lower[j] && down > hardestPull) {
          hardest = j;
          hardestPull = down;
          direction = -1;
        }
      }
    }
    if (hardest < 0) {
      return false;
    }
    held[hardest] = false;
    side[hardest] = x[hardest] == 0 ? direction : Math.signum(x[hardest]);
    return true;
  }

  private void updateSlope() {
    for (int i = 0; i < n; i++) {
      slope[i] = linear[i];
      terms[i] = Math.abs(linear[i]) + lambda;
    }
    for (int j = 0; j < n; j++) {
      if (x[j] != 0) {
        for (int i = 0; i < n; i++) {
          double term = matrix[j * n + i] * x[j];
          slope[i] += term;
          terms[i] += Math.abs(term);
        }
      }
    }
  }
}
