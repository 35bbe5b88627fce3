package io.holdfast.boosting.leaf;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.ScalarState;
import io.holdfast.boosting.numeric.BoundedQuadratic;
import io.holdfast.boosting.numeric.Cholesky;
import io.holdfast.boosting.numeric.Elimination;
import java.util.Arrays;

/**
 * Gradient and curvature of the anchor objective in the leaf values of a round's trees, and the
 * step to the least value of that quadratic. Immutable.
 */
final class LeafSystem {
  /*
   * gradient = Mᵀ g and matrix = Mᵀ H M + λ₂ I of docs/math.md, "A round", M being the one-hot
   * matrix of unknowns: raw scores move by M β. Leaves that share an anchor are coupled, and so are
   * those of classes that share a row: the matrix is dense. With one raw score and gamma = 1 it is
   * diagonal, and treated so: the step is then the usual −T(G)/(S + λ₂).
   *
   * Where J does not change when all raw scores of a row move alike (softmax), it does not change
   * along v either, the indicator of unknowns that are linked by rows in common: the matrix is
   * singular but for λ₂, and the gradient is orthogonal to v. Adding κ v vᵀ then moves the solution
   * nowhere but to vᵀβ = 0, which is where any λ₂ > 0 has it: the step for λ₂ = 0 is the limit of
   * those for small λ₂, and found as safely.
   *
   * An unknown that no row has stays 0.
   */
  private final LeafLayout layout;
  private final boolean coupled;
  private final boolean shiftInvariant;
  private final double lambda1;
  private final double[] gradient;
  private final double[] matrix; // diagonal only unless coupled

  private LeafSystem(
      LeafLayout layout,
      boolean coupled,
      boolean shiftInvariant,
      double lambda1,
      double[] gradient,
      double[] matrix) {
    this.layout = layout;
    this.coupled = coupled;
    this.shiftInvariant = shiftInvariant;
    this.lambda1 = lambda1;
    this.gradient = gradient;
    this.matrix = matrix;
  }

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
    boolean coupled = state.anchored() || layout.outputs.length > 1;
    double[] gradient = new double[layout.size];
    double[] diagonal = new double[layout.size];
    if (state instanceof ScalarState scalar) {
      scalar.addUp(third, layout.unknownOf[0], gradient, diagonal);
    } else {
      addGradients(state, layout, gradient);
      addDiagonal(state, layout, third, diagonal);
    }
    double[] matrix = coupled ? matrix(state, layout, third, diagonal) : diagonal;
    for (int unknown = 0; unknown < layout.size; unknown++) {
      int at = coupled ? unknown * layout.size + unknown : unknown;
      matrix[at] = layout.reached[unknown] ? matrix[at] + lambda2 : 1;
    }
    boolean shiftInvariant = state.shiftInvariant() && layout.outputs.length == state.outputs();
    return new LeafSystem(layout, coupled, shiftInvariant, lambda1, gradient, matrix);
  }

  private static void addGradients(AnchorState state, LeafLayout layout, double[] gradient) {
    int rows = state.rows();
    double[] byRow = layout.scratch(rows * state.outputs());
    state.gradients(byRow);
    for (int a = 0; a < layout.outputs.length; a++) {
      int first = layout.outputs[a] * rows;
      int[] unknownOf = layout.unknownOf[a];
      for (int row = 0; row < rows; row++) {
        gradient[unknownOf[row]] += byRow[first + row];
      }
    }
  }

  private static void addDiagonal(
      AnchorState state, LeafLayout layout, boolean third, double[] diagonal) {
    double[] byRow = layout.scratch(layout.rows);
    for (int a = 0; a < layout.outputs.length; a++) {
      state.curvatures(layout.outputs[a], layout.outputs[a], third, byRow);
      int[] unknownOf = layout.unknownOf[a];
      for (int row = 0; row < layout.rows; row++) {
        diagonal[unknownOf[row]] += byRow[row];
      }
    }
  }

  private static double[] matrix(
      AnchorState state, LeafLayout layout, boolean third, double[] diagonal) {
    int size = layout.size;
    Check.that(
        size <= LeafLayout.MAX_COUPLED,
        "the trees of a round must have at most %s leaf values with an anchor or several classes"
            + " (lower maxLeaves): %s",
        LeafLayout.MAX_COUPLED,
        size);
    double[] matrix = new double[size * size];
    state.addCoupling(layout.outputs, layout.unknownOf, size, matrix);
    for (int unknown = 0; unknown < size; unknown++) {
      matrix[unknown * size + unknown] += diagonal[unknown];
    }
    double[] byRow = layout.scratch(layout.rows);
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
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < i; j++) {
        matrix[j * size + i] = matrix[i * size + j];
      }
    }
    return matrix;
  }

  /** This system with {@code ridge} more on the diagonal. */
  LeafSystem plusRidge(double ridge) {
    double[] stiffer = matrix.clone();
    for (int unknown = 0; unknown < layout.size; unknown++) {
      stiffer[coupled ? unknown * layout.size + unknown : unknown] += ridge;
    }
    return new LeafSystem(layout, coupled, shiftInvariant, lambda1, gradient, stiffer);
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
    if (coupled) {
      return matrix[a * layout.size + b];
    }
    return a == b ? matrix[a] : 0;
  }

  /**
   * The step to the least value of the quadratic, with λ₁ and within bounds. Without those two it
   * is minus the matrix' inverse times the gradient, whatever the matrix is like.
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
      values[unknown] = Math.clamp(value, layout.lower[unknown], layout.upper[unknown]);
      descent &= flat || matrix[unknown] > 0;
    }
    return new LeafStep(values, descent);
  }

  private LeafStep coupledStep() {
    double[] values = new double[layout.size];
    for (int unknown = 0; unknown < values.length; unknown++) {
      values[unknown] = -gradient[unknown];
    }
    double[] work = matrix.clone();
    if (shiftInvariant) {
      fixShifts(work);
    }
    double[] unfactored = work.clone();
    if (Cholesky.factor(work, layout.size)) {
      Cholesky.solve(work, layout.size, values);
      if (lambda1 > 0 || !layout.within(values)) {
        BoundedQuadratic.minimise(matrix, gradient, lambda1, layout.lower, layout.upper, values);
      }
      return new LeafStep(values, true);
    }
    if (lambda1 > 0 || layout.bounded() || !Elimination.solve(unfactored, layout.size, values)) {
      Arrays.fill(values, Double.NaN); // no least value, or none that is known to be one
    }
    return new LeafStep(values, false);
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
      for (int b = 0; b < layout.size; b++) {
        if (link[b] == set) {
          work[a * layout.size + b] += kappa;
        }
      }
    }
  }
}
