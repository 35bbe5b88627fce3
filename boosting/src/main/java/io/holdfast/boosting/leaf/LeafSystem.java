package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.numeric.Cholesky;
import io.holdfast.boosting.numeric.Elimination;
import java.util.Arrays;

/** Gradient and curvature of the anchor objective in the leaf values of one tree. Immutable. */
final class LeafSystem {
  /*
   * gradient = Mᵀ g and matrix = Mᵀ H M + λ I of docs/math.md, section 3, M being the one-hot matrix
   * of rows to leaves. Leaves that share an anchor are coupled, so the matrix is dense; with gamma
   * = 1 it is diagonal, and treated so: the step is then the usual −G/(S + λ).
   */
  private final int leaves;
  private final boolean coupled;
  private final double[] gradient;
  private final double[] matrix;

  private LeafSystem(int leaves, boolean coupled, double[] gradient, double[] matrix) {
    this.leaves = leaves;
    this.coupled = coupled;
    this.gradient = gradient;
    this.matrix = matrix;
  }

  /** With the whole second derivative. */
  static LeafSystem newton(AnchorState state, int[] leafOf, int leaves, double lambda) {
    double[] diagonals = new double[state.rows()];
    state.diagonals(diagonals);
    return of(state, leafOf, leaves, lambda, diagonals);
  }

  /** Without the term of the third derivative: positive semidefinite wherever h is at least 0. */
  static LeafSystem gaussNewton(AnchorState state, int[] leafOf, int leaves, double lambda) {
    double[] diagonals = new double[state.rows()];
    state.hessians(diagonals);
    return of(state, leafOf, leaves, lambda, diagonals);
  }

  private static LeafSystem of(
      AnchorState state, int[] leafOf, int leaves, double lambda, double[] diagonals) {
    double[] byRow = new double[state.rows()];
    state.gradients(byRow);
    double[] gradient = new double[leaves];
    double[] diagonal = new double[leaves];
    for (int row = 0; row < byRow.length; row++) {
      gradient[leafOf[row]] += byRow[row];
      diagonal[leafOf[row]] += diagonals[row];
    }
    if (!state.anchored()) {
      for (int leaf = 0; leaf < leaves; leaf++) {
        diagonal[leaf] += lambda;
      }
      return new LeafSystem(leaves, false, gradient, diagonal);
    }
    double[] matrix = new double[leaves * leaves];
    state.hessians(byRow);
    state.addCoupling(byRow, leafOf, leaves, matrix);
    for (int leaf = 0; leaf < leaves; leaf++) {
      matrix[leaf * leaves + leaf] += diagonal[leaf] + lambda;
    }
    return new LeafSystem(leaves, true, gradient, matrix);
  }

  /** This system with {@code ridge} more on the diagonal. */
  LeafSystem plusRidge(double ridge) {
    double[] stiffer = matrix.clone();
    for (int leaf = 0; leaf < leaves; leaf++) {
      stiffer[coupled ? leaf * leaves + leaf : leaf] += ridge;
    }
    return new LeafSystem(leaves, coupled, gradient, stiffer);
  }

  /** The largest diagonal entry: the scale of a ridge. */
  double scale() {
    double largest = 0;
    for (int leaf = 0; leaf < leaves; leaf++) {
      largest = Math.max(largest, matrix[coupled ? leaf * leaves + leaf : leaf]);
    }
    return largest;
  }

  /** The full step: minus the matrix' inverse times the gradient, whatever the matrix is like. */
  LeafStep step() {
    return coupled ? coupledStep() : diagonalStep();
  }

  /** Entry of Mᵀ g. */
  double gradient(int leaf) {
    return gradient[leaf];
  }

  /** Entry of Mᵀ H M + λ I. */
  double curvature(int a, int b) {
    if (coupled) {
      return matrix[a * leaves + b];
    }
    return a == b ? matrix[a] : 0;
  }

  private LeafStep diagonalStep() {
    double[] values = new double[leaves];
    boolean descent = true;
    for (int leaf = 0; leaf < leaves; leaf++) {
      values[leaf] = -gradient[leaf] / matrix[leaf];
      descent &= matrix[leaf] > 0;
    }
    return new LeafStep(values, descent);
  }

  private LeafStep coupledStep() {
    double[] values = new double[leaves];
    for (int leaf = 0; leaf < leaves; leaf++) {
      values[leaf] = -gradient[leaf];
    }
    double[] work = matrix.clone();
    if (Cholesky.factor(work, leaves)) {
      Cholesky.solve(work, leaves, values);
      return new LeafStep(values, true);
    }
    System.arraycopy(matrix, 0, work, 0, matrix.length);
    if (!Elimination.solve(work, leaves, values)) {
      Arrays.fill(values, Double.NaN);
    }
    return new LeafStep(values, false);
  }
}
