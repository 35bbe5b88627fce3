package io.holdfast.boosting.linear;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Cholesky;
import io.holdfast.boosting.objective.Huber;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import java.util.Arrays;

/** The anchor objective J. Owned by one thread. */
final class AnchoredLoss implements SmoothLoss {
  /*
   * The curvature is the second derivative of J, if that is positive definite with the ridge. Else (the
   * loss is not convex, or the anchor's term of the third derivative outweighs it) it is that of Gauss
   * and Newton: rows count with the curvature that trees grow on, at least LEAST of the mean size, and
   * the anchor adds (gamma − 1) Σ_l D_l W P D_l, where D_l holds the rows' ∂²L/∂f_l ∂f_k. For gamma < 1
   * that is subtracted, and left out unless (1 − gamma) h² is at most the row's curvature in each row,
   * which makes the rest positive, since P <= 1. Softmax always satisfies it: no eigenvalue of a row's
   * hessian is above ½.
   *
   * Huber never takes its second derivative, which is 0 where residuals are large.
   */
  private static final double LEAST = 1e-9;
  private static final double SINGULAR = 1e-9; // of the scale: lets a null space pass
  private static final double ROUNDING = 1e-12;
  private static final double SMALLEST_GAIN = 1e-13;

  private final Projection projection;
  private final double strength; // gamma − 1
  private final AnchorObjective objective;
  private final AnchorState state;
  private final double[] rowCurvature;
  private final double[] mixed;

  AnchoredLoss(Objective objective, Rows rows, Projection projection, double gamma) {
    this.projection = projection;
    strength = gamma - 1;
    this.objective = new AnchorObjective(objective, rows, projection, gamma);
    state = this.objective.newState();
    rowCurvature = new double[rows.size()];
    mixed = new double[rows.size()];
  }

  @Override
  public double evaluate(double[] scores) {
    objective.evaluate(scores, state);
    return state.loss().total();
  }

  @Override
  public void gradients(double[] target) {
    state.gradients(target);
  }

  @Override
  public void curvature(
      int[] outputs, Design design, double ridge, double[] matrix, double[] scale) {
    if (!(objective.objective() instanceof Huber)) {
      fill(outputs, design, true, matrix, scale);
      addCoupling(outputs, design, matrix);
      SmoothLoss.mirror(matrix, scale.length);
      if (quadratic() || positiveDefinite(matrix, scale, ridge, design.columns())) {
        return;
      }
    }
    fill(outputs, design, false, matrix, scale);
    if (strength > 0 || (strength < 0 && covered())) {
      addCoupling(outputs, design, matrix);
    }
    SmoothLoss.mirror(matrix, scale.length);
  }

  /** Writes the lower triangle of the part that is diagonal by rows, and its scale. */
  private void fill(int[] outputs, Design design, boolean third, double[] matrix, double[] scale) {
    int columns = design.columns();
    double[] gram = new double[columns * columns];
    for (int a = 0; a < outputs.length; a++) {
      for (int b = 0; b <= a; b++) {
        state.curvatures(outputs[a], outputs[b], third, rowCurvature);
        if (!third && state.outputs() == 1) {
          raise(rowCurvature);
        }
        design.gram(rowCurvature, gram);
        if (b < a) {
          SmoothLoss.mirror(gram, columns);
        }
        for (int j = 0; j < columns; j++) {
          int first = (a * columns + j) * scale.length + b * columns;
          System.arraycopy(gram, j * columns, matrix, first, columns);
        }
      }
    }
    for (int j = 0; j < scale.length; j++) {
      scale[j] = Math.abs(matrix[j * scale.length + j]);
    }
  }

  private static boolean positiveDefinite(
      double[] matrix, double[] scale, double ridge, int columns) {
    int n = scale.length;
    double[] factor = matrix.clone();
    for (int j = 0; j < n; j++) {
      factor[j * n + j] += (j % columns > 0 ? ridge : 0) + SINGULAR * scale[j];
    }
    return Cholesky.factor(factor, n);
  }

  /** Adds (gamma − 1) Σ_l F_lᵀ F_l, where the columns of F_l are projections of those of D_l X. */
  private void addCoupling(int[] outputs, Design design, double[] matrix) {
    if (strength == 0) {
      return;
    }
    int columns = design.columns();
    int unknowns = outputs.length * columns;
    double[] factor = new double[Math.multiplyExact(projection.rank(), unknowns)];
    double[] entries = new double[mixed.length];
    int[] columnOf = new int[mixed.length];
    for (int other = 0; other < state.outputs(); other++) {
      Arrays.fill(factor, 0);
      for (int a = 0; a < outputs.length; a++) {
        state.hessians(other, outputs[a], mixed);
        for (int k = 0; k < design.parts(); k++) {
          design.part(k, mixed, a * columns, entries, columnOf);
          projection.addFactor(entries, columnOf, unknowns, factor);
        }
      }
      addSquare(factor, unknowns, matrix);
    }
  }

  private void addSquare(double[] factor, int n, double[] matrix) {
    for (int first = 0; first < factor.length; first += n) {
      for (int j = 0; j < n; j++) {
        double scaled = strength * factor[first + j];
        for (int k = 0; k <= j && scaled != 0; k++) {
          matrix[j * n + k] += scaled * factor[first + k];
        }
      }
    }
  }

  private static void raise(double[] curvature) {
    double sum = 0;
    for (double value : curvature) {
      sum += Math.abs(value);
    }
    double least = sum > 0 ? LEAST * sum / curvature.length : 1;
    for (int row = 0; row < curvature.length; row++) {
      curvature[row] = Math.max(Math.abs(curvature[row]), least);
    }
  }

  private boolean covered() {
    if (state.outputs() > 1) {
      return true;
    }
    state.hessians(0, 0, mixed);
    for (int row = 0; row < mixed.length; row++) {
      double most = rowCurvature[row] * objective.weight(row) * (1 + ROUNDING);
      if (!(-strength * mixed[row] * mixed[row] <= most)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean quadratic() {
    return objective.objective() instanceof Squared;
  }

  @Override
  public double smallestGain() {
    return SMALLEST_GAIN;
  }
}
