package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.ScalarState;
import io.holdfast.boosting.anchor.SoftmaxState;
import io.holdfast.boosting.numeric.BoundedQuadratic;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.Cholesky;
import io.holdfast.boosting.numeric.Elimination;
import java.util.Arrays;

/**
 * Gradient and curvature of the anchor objective in the leaf values of a round's trees, and the
 * step to the least value of that quadratic. Immutable.
 *
 * @param coupled whether the matrix is more than a diagonal
 * @param block unknowns of each block on the diagonal, outside of which all is 0
 * @param matrix block after block, each row-major
 * @param lower bounds of the step
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LeafSystem(
    LeafLayout layout,
    boolean coupled,
    int block,
    boolean shiftInvariant,
    double lambda1,
    double[] gradient,
    double[] matrix,
    double[] lower,
    double[] upper) {
  /*
   * gradient = Mᵀ g and matrix = Mᵀ H M + λ₂ I (docs/math.md, "A round"): scores move by M β. An anchor
   * couples leaves that share it, and classes are coupled in a row, so the matrix is dense. It is
   * diagonal for one raw score with gamma = 1, and has a block for each leaf for one tree of several
   * raw scores with gamma = 1; blocks give the same bits as the dense matrix.
   *
   * Where J does not change when all raw scores of a row move alike (softmax), it does not change along
   * v, the indicator of unknowns linked by rows, and the matrix is singular but for λ₂. Adding κ v vᵀ
   * gives the solution with vᵀβ = 0, which any λ₂ > 0 gives too.
   *
   * An unknown without rows stays 0.
   */

  /** With the whole second derivative. */
  static LeafSystem newton(AnchorState state, LeafLayout layout, double lambda1, double lambda2) {
    return of(state, layout, lambda1, lambda2, true);
  }

  /** Without the term of the third derivative: positive semidefinite wherever h is at least 0. */
  static LeafSystem gaussNewton(
      AnchorState state, LeafLayout layout, double lambda1, double lambda2) {
    return of(state, layout, lambda1, lambda2, false);
  }

  private static LeafSystem of(
      AnchorState state, LeafLayout layout, double lambda1, double lambda2, boolean third) {
    int size = layout.size;
    int outputs = layout.outputs.length;
    boolean allOutputs = outputs == state.outputs();
    boolean coupled = state.anchored() || outputs > 1;
    Check.that(
        !coupled || size <= LeafLayout.MAX_COUPLED,
        "the trees of a round must have at most %s leaf values with an anchor or several classes"
            + " (lower maxLeaves): %s",
        LeafLayout.MAX_COUPLED,
        size);
    // λ₁ and bounds are searched for all leaves at once.
    boolean byLeaf =
        layout.ofOneTree() && allOutputs && !state.anchored() && lambda1 == 0 && !layout.bounded;
    int block = byLeaf || !coupled ? outputs : size;
    double[] gradient = new double[size];
    double[] matrix;
    if (byLeaf && state instanceof SoftmaxState softmax) {
      matrix = new double[size * block];
      softmax.addUp(layout.unknownOf[0], gradient, matrix);
    } else {
      double[] diagonal = new double[size];
      if (state instanceof ScalarState scalar) {
        scalar.addUp(third, layout.unknownOf[0], gradient, diagonal);
      } else {
        addUp(state, layout, third, gradient, diagonal);
      }
      matrix = coupled ? matrix(state, layout, third, diagonal) : diagonal;
    }
    mirror(matrix, block, size);
    for (int unknown = 0; unknown < size; unknown++) {
      int at = unknown * block + unknown % block;
      matrix[at] = layout.reached[unknown] ? matrix[at] + lambda2 : 1;
    }
    boolean shiftInvariant = state.shiftInvariant() && allOutputs;
    return new LeafSystem(
        layout,
        coupled,
        block,
        shiftInvariant,
        lambda1,
        gradient,
        matrix,
        layout.lower,
        layout.upper);
  }

  /** Copies the lower triangle of each block to the upper one. */
  private static void mirror(double[] matrix, int block, int size) {
    for (int first = 0; first < size * block; first += block * block) {
      for (int i = 0; i < block; i++) {
        for (int j = 0; j < i; j++) {
          matrix[first + j * block + i] = matrix[first + i * block + j];
        }
      }
    }
  }

  private static void addUp(
      AnchorState state, LeafLayout layout, boolean third, double[] gradient, double[] diagonal) {
    int rows = layout.rows;
    double[] byRow = layout.arrays.values(rows * state.outputs());
    state.gradients(byRow);
    for (int a = 0; a < layout.outputs.length; a++) {
      addUp(byRow, layout.outputs[a] * rows, layout.unknownOf[a], rows, gradient);
    }
    for (int a = 0; a < layout.outputs.length; a++) {
      state.curvatures(layout.outputs[a], layout.outputs[a], third, byRow);
      addUp(byRow, 0, layout.unknownOf[a], rows, diagonal);
    }
  }

  private static void addUp(double[] byRow, int first, int[] unknownOf, int rows, double[] sums) {
    for (int row = 0; row < rows; row++) {
      sums[unknownOf[row]] += byRow[first + row];
    }
  }

  private static double[] matrix(
      AnchorState state, LeafLayout layout, boolean third, double[] diagonal) {
    int size = layout.size;
    double[] matrix = new double[size * size];
    state.addCoupling(layout.outputs, layout.unknownOf, size, matrix);
    for (int unknown = 0; unknown < size; unknown++) {
      matrix[unknown * size + unknown] += diagonal[unknown];
    }
    double[] byRow = layout.arrays.values(layout.rows);
    for (int a = 1; a < layout.outputs.length; a++) {
      for (int b = 0; b < a; b++) {
        state.curvatures(layout.outputs[a], layout.outputs[b], third, byRow);
        int[] unknownOfA = layout.unknownOf[a];
        int[] unknownOfB = layout.unknownOf[b];
        for (int row = 0; row < layout.rows; row++) {
          matrix[unknownOfA[row] * size + unknownOfB[row]] += byRow[row];
        }
      }
    }
    return matrix;
  }

  /** This system with {@code ridge} more on the diagonal. */
  LeafSystem plusRidge(double ridge) {
    double[] stiffer = matrix.clone();
    for (int unknown = 0; unknown < layout.size; unknown++) {
      stiffer[unknown * block + unknown % block] += ridge;
    }
    return with(stiffer, lower, upper);
  }

  /** This system with no value further from 0 than {@code reach}, as far as bounds let it. */
  LeafSystem within(double reach) {
    double[] least = new double[layout.size];
    double[] most = new double[layout.size];
    Arrays.setAll(least, k -> Math.clamp(-reach, lower[k], upper[k]));
    Arrays.setAll(most, k -> Math.clamp(reach, lower[k], upper[k]));
    return with(matrix, least, most);
  }

  private LeafSystem with(double[] newMatrix, double[] least, double[] most) {
    return new LeafSystem(
        layout, coupled, block, shiftInvariant, lambda1, gradient, newMatrix, least, most);
  }

  /** The largest diagonal entry of an unknown that rows have: the scale of a ridge. */
  double scale() {
    double largest = 0;
    for (int unknown = 0; unknown < layout.size; unknown++) {
      if (layout.reached[unknown]) {
        largest = Math.max(largest, curvature(unknown, unknown));
      }
    }
    return largest;
  }

  /** Entry of Mᵀ g. */
  double gradient(int unknown) {
    return gradient[unknown];
  }

  /** Entry of Mᵀ H M + λ₂ I. */
  double curvature(int a, int b) {
    return a / block == b / block ? matrix[a * block + b % block] : 0;
  }

  /**
   * The step to the least value of the quadratic, with λ₁ and within bounds. Without those two it
   * is minus the inverse matrix times the gradient, whatever the matrix is like.
   */
  LeafStep step() {
    return coupled ? coupledStep() : diagonalStep();
  }

  private LeafStep diagonalStep() {
    double[] values = new double[layout.size];
    boolean descent = true;
    for (int unknown = 0; unknown < values.length; unknown++) {
      double pull = BoundedQuadratic.softThreshold(-gradient[unknown], lambda1);
      boolean flat = pull == 0 && matrix[unknown] == 0; // any value is as good
      double value = flat ? 0 : pull / matrix[unknown];
      values[unknown] = Math.clamp(value, lower[unknown], upper[unknown]);
      descent &= flat || matrix[unknown] > 0;
    }
    return new LeafStep(values, descent);
  }

  private LeafStep coupledStep() {
    double[] work = matrix.clone();
    if (shiftInvariant) {
      fixShifts(work);
    }
    double[] values = new double[layout.size];
    if (solve(work, Cholesky::factorAndSolve, values)) {
      if (lambda1 > 0 || (block == layout.size && !bounded(values))) {
        BoundedQuadratic.minimise(matrix, gradient, lambda1, lower, upper, values);
      }
      return new LeafStep(values, true);
    }
    if (lambda1 > 0 || layout.bounded || !solve(work, Elimination::solve, values)) {
      Arrays.fill(values, Double.NaN); // no least value, or none that is known to be one
    }
    return new LeafStep(values, false);
  }

  /** Whether values are within the bounds. */
  private boolean bounded(double[] values) {
    for (int unknown = 0; unknown < values.length; unknown++) {
      if (!(values[unknown] >= lower[unknown] && values[unknown] <= upper[unknown])) {
        return false;
      }
    }
    return true;
  }

  /** Solves a matrix, and overwrites both with the solution or with scratch. */
  private interface Solver {
    boolean solve(double[] matrix, int n, double[] vector);
  }

  /** Writes the solution of each block; returns whether all have one. */
  private boolean solve(double[] blocks, Solver solver, double[] target) {
    for (int first = 0; first < layout.size; first += block) {
      double[] part = Arrays.copyOfRange(blocks, first * block, (first + block) * block);
      double[] vector = new double[block];
      for (int k = 0; k < block; k++) {
        // In a dense matrix −0 would become 0: the same here.
        vector[k] = block < layout.size ? 0 - gradient[first + k] : -gradient[first + k];
      }
      if (!solver.solve(part, block, vector)) {
        return false;
      }
      System.arraycopy(vector, 0, target, first, block);
    }
    return true;
  }

  /** Adds κ v vᵀ for each set of linked unknowns; κ makes v as stiff as they are on average. */
  private void fixShifts(double[] work) {
    int[] link = layout.links();
    double[] stiffness = new double[layout.size];
    double[] count = new double[layout.size];
    for (int unknown = 0; unknown < layout.size; unknown++) {
      stiffness[link[unknown]] += Math.abs(curvature(unknown, unknown));
      count[link[unknown]]++;
    }
    for (int a = 0; a < layout.size; a++) {
      int set = link[a];
      double kappa = (stiffness[set] > 0 ? stiffness[set] : 1) / (count[set] * count[set]);
      int first = a - a % block;
      for (int k = 0; k < block; k++) {
        if (link[first + k] == set) {
          work[a * block + k] += kappa;
        }
      }
    }
  }

  /**
   * The solution of a leaf system.
   *
   * @param values by unknown, not finite if the system is singular
   * @param descent whether the system is positive definite, so that the step leads downhill
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record LeafStep(double[] values, boolean descent) {
    double[] times(double rate) {
      return LeafSolver.times(values, rate);
    }

    /** Whether no value is further from 0 than this. */
    boolean within(double reach) {
      return Arrays.stream(values).allMatch(value -> Math.abs(value) <= reach);
    }
  }
}
