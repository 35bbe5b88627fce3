package io.holdfast.boosting.linear;

import io.holdfast.boosting.numeric.BoundedQuadratic;
import io.holdfast.boosting.numeric.Cholesky;
import java.util.Arrays;

/**
 * Minimises ½ bᵀCb − qᵀb + Σ_j (l1 |b_j| + l2/2 b_j²) over b, for a symmetric positive semidefinite
 * C (n × n, row-major). Entries 0, period, 2 · period, ... of b are intercepts: free of penalty,
 * and held where they started if asked for. Some entries may be held to a sign. Immutable.
 */
final class ElasticNet {
  /*
   * Without l1 or signs this is one Cholesky solve. Else it is coordinate descent: each entry in turn
   * takes its soft threshold, or 0 if that has the wrong sign. Descent finds zeros and signs soon, but
   * values slowly where columns are correlated. With zeros and signs known the values solve a linear
   * system: its solution is taken as soon as it satisfies all conditions of the minimum.
   *
   * Where C is singular, the minimum nearest to the start is taken (without l1): proximal steps
   * (C + εI)⁻¹ do not move in the null space of C, and converge to the exact minimum elsewhere. An
   * entry whose own curvature is rounding noise stays where it started.
   */
  private static final double SINGULAR = 1e-10; // a pivot below this part of its entry's scale
  private static final double PROXIMITY = 1e-8; // ε as a part of the largest scale
  private static final int PROXIMAL_STEPS = 8;
  private static final int ROUNDS = 200;
  private static final int SWEEPS = 50; // over the entries that are not 0, in a round
  private static final double STILL = 1e-13; // movement, as a part of the largest entry
  private static final double CONDITION = 1e-9; // on gradients of entries that are 0
  private static final double ROUNDING = 1e-13; // of the largest entry of q
  private static final double[] NONE = {};

  private final double l1;
  private final double l2;
  private final int[] signs;
  private final int period;
  private final boolean interceptsHeld;

  /**
   * A penalty.
   *
   * @param signs of a period of entries: 1 if an entry must not be negative, −1 if it must not be
   *     positive, else 0
   * @param interceptsHeld whether intercepts stay where they started
   */
  ElasticNet(double l1, double l2, int[] signs, boolean interceptsHeld) {
    this.l1 = l1;
    this.l2 = l2;
    this.signs = signs.clone();
    period = signs.length;
    this.interceptsHeld = interceptsHeld;
  }

  private int sign(int j) {
    return signs[j % period];
  }

  private boolean penalised(int j) {
    return j % period > 0;
  }

  /** Whether it has a second derivative everywhere. */
  boolean smooth() {
    return l1 == 0 && Arrays.stream(signs).allMatch(sign -> sign == 0);
  }

  /** What the penalty adds to the curvature of entries other than intercepts. */
  double ridge() {
    return l2;
  }

  double penalty(double[] b) {
    double absolute = 0;
    double square = 0;
    for (int j = 0; j < b.length; j++) {
      if (penalised(j)) {
        absolute += Math.abs(b[j]);
        square += b[j] * b[j];
      }
    }
    return l1 * absolute + 0.5 * l2 * square;
  }

  /** The minimum; {@code scale} has the diagonal of C before anything was subtracted. */
  double[] minimise(double[] matrix, double[] vector, double[] start, double[] scale) {
    double[] b = start.clone();
    boolean[] frozen = new boolean[b.length];
    for (int j = 0; j < b.length; j++) {
      boolean held = interceptsHeld && !penalised(j);
      frozen[j] = held || !(matrix[j * b.length + j] > SINGULAR * scale[j]);
    }
    if (l1 > 0) {
      return descend(matrix, vector, b, frozen, scale);
    }
    solve(matrix, vector, b, frozen, scale);
    return signsKept(b) ? b : descend(matrix, vector, start.clone(), frozen, scale);
  }

  private boolean signsKept(double[] b) {
    for (int j = 0; j < b.length; j++) {
      if (sign(j) * b[j] < 0) {
        return false;
      }
    }
    return true;
  }

  private void solve(
      double[] matrix, double[] vector, double[] b, boolean[] frozen, double[] scale) {
    double[] factor = ridged(matrix, frozen, 0);
    if (positiveDefinite(factor, b.length, scale)) {
      step(factor, matrix, vector, b, frozen);
      step(factor, matrix, vector, b, frozen); // corrects rounding
      return;
    }
    factor = ridged(matrix, frozen, PROXIMITY * largest(scale));
    if (Cholesky.factor(factor, b.length)) {
      for (int k = 0; k < PROXIMAL_STEPS; k++) {
        step(factor, matrix, vector, b, frozen);
      }
    }
  }

  /** b += factor⁻¹ (q − (C + l2) b). */
  private void step(
      double[] factor, double[] matrix, double[] vector, double[] b, boolean[] frozen) {
    int n = b.length;
    double[] rest = new double[n];
    for (int j = 0; j < n; j++) {
      if (!frozen[j]) {
        rest[j] = vector[j] - times(matrix, n, j, b) - (penalised(j) ? l2 * b[j] : 0);
      }
    }
    Cholesky.solve(factor, n, rest);
    for (int j = 0; j < n; j++) {
      b[j] += rest[j];
    }
  }

  /** C with more on its diagonal, and frozen entries decoupled from the rest. */
  private double[] ridged(double[] matrix, boolean[] frozen, double more) {
    int n = frozen.length;
    double[] ridged = matrix.clone();
    for (int j = 0; j < n; j++) {
      ridged[j * n + j] += (penalised(j) ? l2 : 0) + more;
      if (frozen[j]) {
        for (int k = 0; k < n; k++) {
          ridged[j * n + k] = 0;
          ridged[k * n + j] = 0;
        }
        ridged[j * n + j] = 1;
      }
    }
    return ridged;
  }

  /** Factors in place; whether no pivot is so small that the solution would be noise. */
  private static boolean positiveDefinite(double[] matrix, int n, double[] scale) {
    if (!Cholesky.factor(matrix, n)) {
      return false;
    }
    for (int j = 0; j < n; j++) {
      if (!(matrix[j * n + j] * matrix[j * n + j] >= SINGULAR * scale[j])) {
        return false;
      }
    }
    return true;
  }

  private double[] descend(
      double[] matrix, double[] vector, double[] b, boolean[] frozen, double[] scale) {
    int n = b.length;
    double[] gradient = new double[n]; // Cb − q
    double[] stiffness = new double[n]; // 0 if the entry is to stay
    for (int j = 0; j < n; j++) {
      gradient[j] = times(matrix, n, j, b) - vector[j];
      stiffness[j] = frozen[j] ? 0 : matrix[j * n + j] + (penalised(j) ? l2 : 0);
    }
    for (int round = 0; round < ROUNDS; round++) {
      double moved = sweep(matrix, gradient, stiffness, b, false);
      for (int k = 0; k < SWEEPS && moved > STILL * largest(b); k++) {
        moved = sweep(matrix, gradient, stiffness, b, true);
      }
      double[] exact = withTheseSigns(matrix, vector, b, frozen, scale);
      if (exact.length == n) {
        return exact;
      }
      if (sweep(matrix, gradient, stiffness, b, false) <= STILL * largest(b)) {
        break;
      }
    }
    return b;
  }

  /** Minimises over entry after entry; returns the largest movement. */
  private double sweep(
      double[] matrix, double[] gradient, double[] stiffness, double[] b, boolean onlyActive) {
    int n = b.length;
    double largest = 0;
    for (int j = 0; j < n; j++) {
      if (stiffness[j] == 0 || (onlyActive && b[j] == 0 && mayRest(j))) {
        continue;
      }
      double pull = matrix[j * n + j] * b[j] - gradient[j];
      double best = (penalised(j) ? BoundedQuadratic.softThreshold(pull, l1) : pull) / stiffness[j];
      if (sign(j) * best < 0) {
        best = 0;
      }
      double move = best - b[j];
      if (move != 0) {
        b[j] = best;
        int first = j * n;
        for (int k = 0; k < n; k++) {
          gradient[k] += move * matrix[first + k];
        }
        largest = Math.max(largest, Math.abs(move));
      }
    }
    return largest;
  }

  /** Whether an entry may stay at 0 though the loss has a slope. */
  private boolean mayRest(int j) {
    return penalised(j) && (l1 > 0 || sign(j) != 0);
  }

  /** The minimum if it has the zeros and signs of {@code b}; an empty array if it has not. */
  private double[] withTheseSigns(
      double[] matrix, double[] vector, double[] b, boolean[] frozen, double[] scale) {
    int n = b.length;
    int[] active = new int[n];
    int count = 0;
    double[] exact = b.clone();
    for (int j = 0; j < n; j++) {
      if (!frozen[j] && (b[j] != 0 || !mayRest(j))) {
        active[count++] = j;
        exact[j] = 0;
      }
    }
    double[] factor = new double[count * count];
    double[] values = new double[count];
    double[] scaleOfActive = new double[count];
    for (int a = 0; a < count; a++) {
      int j = active[a];
      values[a] =
          vector[j] - times(matrix, n, j, exact) - (penalised(j) ? l1 * Math.signum(b[j]) : 0);
      scaleOfActive[a] = scale[j];
      for (int c = 0; c <= a; c++) {
        factor[a * count + c] = matrix[j * n + active[c]];
      }
      factor[a * count + a] += penalised(j) ? l2 : 0;
    }
    if (!positiveDefinite(factor, count, scaleOfActive)) {
      return NONE;
    }
    Cholesky.solve(factor, count, values);
    for (int a = 0; a < count; a++) {
      int j = active[a];
      if (mayRest(j) && !(values[a] * b[j] > 0)) {
        return NONE;
      }
      exact[j] = values[a];
    }
    return zerosAreBest(matrix, vector, exact, frozen) ? exact : NONE;
  }

  private boolean zerosAreBest(double[] matrix, double[] vector, double[] b, boolean[] frozen) {
    int n = b.length;
    double most = l1 * (1 + CONDITION) + ROUNDING * largest(vector);
    for (int j = 0; j < n; j++) {
      if (b[j] == 0 && mayRest(j) && !frozen[j]) {
        double pull = vector[j] - times(matrix, n, j, b);
        boolean up = sign(j) >= 0 && !(pull <= most);
        boolean down = sign(j) <= 0 && !(-pull <= most);
        if (up || down) {
          return false;
        }
      }
    }
    return true;
  }

  /** Entry {@code row} of the product. */
  static double times(double[] matrix, int n, int row, double[] b) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
      sum += matrix[row * n + k] * b[k];
    }
    return sum;
  }

  private static double largest(double[] b) {
    double largest = 0;
    for (double value : b) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }
}
