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
 */
final class LeafSystem {
  /*
   * gradient = Mᵀ g and matrix = Mᵀ H M + λ₂ I of docs/math.md, "A round", M being the one-hot
   * matrix of unknowns: raw scores move by M β. Leaves that share an anchor are coupled, and so are
   * those of classes that share a row: the matrix is dense. With one raw score and gamma = 1 it is
   * diagonal, and treated so: the step is then the usual −T(G)/(S + λ₂). With gamma = 1 and one tree
   * whose leaves hold a value for each raw score no two leaves share a row: there is a block for each
   * leaf, and each is solved by itself, to the same bits as all of them together.
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
  private final boolean coupled; // also of one unknown, by an anchor
  private final int block; // unknowns of each block on the diagonal, beside which all is 0
  private final boolean shiftInvariant;
  private final double lambda1;
  private final double[] gradient;
  private final double[] matrix; // block after block, each row-major
  private final double[] lower;
  private final double[] upper;

  private LeafSystem(
      LeafLayout layout,
      boolean coupled,
      int block,
      boolean shiftInvariant,
      double lambda1,
      double[] gradient,
      double[] matrix,
      double[] lower,
      double[] upper) {
    this.layout = layout;
    this.coupled = coupled;
    this.block = block;
    this.shiftInvariant = shiftInvariant;
    this.lambda1 = lambda1;
    this.gradient = gradient;
    this.matrix = matrix;
    this.lower = lower;
    this.upper = upper;
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
    double[] gradient = new double[layout.size];
    double[] matrix;
    boolean coupled = state.anchored() || layout.outputs.length > 1;
    int block = block(state, layout, lambda1);
    if (coupled) {
      checkSize(layout.size);
    }
    if (state instanceof ScalarState scalar) {
      double[] diagonal = new double[layout.size];
      scalar.addUp(third, layout.unknownOf[0], gradient, diagonal);
      matrix = coupled ? matrix(state, layout, third, diagonal) : diagonal;
    } else if (byLeaf(state, layout, lambda1) && state instanceof SoftmaxState softmax) {
      matrix = new double[layout.size * block];
      softmax.addUp(layout.unknownOf[0], gradient, matrix);
    } else {
      addGradients(state, layout, gradient);
      double[] diagonal = new double[layout.size];
      addDiagonal(state, layout, third, diagonal);
      matrix = coupled ? matrix(state, layout, third, diagonal) : diagonal;
    }
    mirror(matrix, block, layout.size);
    for (int unknown = 0; unknown < layout.size; unknown++) {
      int at = unknown * block + unknown % block;
      matrix[at] = layout.reached[unknown] ? matrix[at] + lambda2 : 1;
    }
    boolean shiftInvariant = state.shiftInvariant() && layout.outputs.length == state.outputs();
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

  /** How many unknowns are coupled, directly or by others, at most. */
  private static int block(AnchorState state, LeafLayout layout, double lambda1) {
    int outputs = layout.outputs.length;
    boolean blocks = byLeaf(state, layout, lambda1) || (outputs == 1 && !state.anchored());
    return blocks ? outputs : layout.size;
  }

  /**
   * Whether the values of a leaf are coupled with no other leaf's. What is searched with λ₁ or
   * within bounds is searched for all leaves at once.
   */
  private static boolean byLeaf(AnchorState state, LeafLayout layout, double lambda1) {
    return layout.ofOneTree()
        && layout.outputs.length == state.outputs()
        && !state.anchored()
        && lambda1 == 0
        && !layout.bounded();
  }

  private static void checkSize(int size) {
    Check.that(
        size <= LeafLayout.MAX_COUPLED,
        "the trees of a round must have at most %s leaf values with an anchor or several classes"
            + " (lower maxLeaves): %s",
        LeafLayout.MAX_COUPLED,
        size);
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

  /**
   * This system with no value further from 0 than {@code reach}, or than its bounds let it come.
   *
   * @param reach above 0
   */
  LeafSystem within(double reach) {
    double[] closerLower = new double[layout.size];
    double[] closerUpper = new double[layout.size];
    for (int unknown = 0; unknown < layout.size; unknown++) {
      closerLower[unknown] = Math.clamp(-reach, lower[unknown], upper[unknown]);
      closerUpper[unknown] = Math.clamp(reach, lower[unknown], upper[unknown]);
    }
    return with(matrix, closerLower, closerUpper);
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
    if (lambda1 > 0 || layout.bounded() || !solve(work, Elimination::solve, values)) {
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
    double[] part = new double[block * block];
    double[] vector = new double[block];
    for (int first = 0; first < layout.size; first += block) {
      System.arraycopy(blocks, first * block, part, 0, part.length);
      for (int k = 0; k < block; k++) {
        // Beside other leaves −0 becomes 0, and so it does without them.
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

  /** The solution of a leaf system. */
  static final class LeafStep {
    private final double[] values;
    private final boolean descent;

    LeafStep(double[] values, boolean descent) {
      this.values = values;
      this.descent = descent;
    }

    /** The step times {@code rate}: one value a leaf, not finite if the system is singular. */
    double[] times(double rate) {
      double[] scaled = new double[values.length];
      for (int leaf = 0; leaf < values.length; leaf++) {
        scaled[leaf] = rate * values[leaf];
      }
      return scaled;
    }

    /** Whether no value is further from 0 than this. */
    boolean within(double reach) {
      for (double value : values) {
        if (!(Math.abs(value) <= reach)) {
          return false;
        }
      }
      return true;
    }

    /** Whether the system is positive definite, so that the step leads downhill. */
    boolean descent() {
      return descent;
    }
  }
}
