package io.holdfast.boosting.anchor;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import java.util.Arrays;

/** The anchor objective of softmax. */
public final class SoftmaxState extends AnchorState {
  /*
   * Per row, with probabilities p, r_k = p_k − 1{y = k}, u_k = (P r_·k), s = gamma − 1, and
   * c_k = u_k − Σ_j p_j u_j (docs/math.md):
   *
   *   dJ/df_k = w (r_k + s p_k c_k)
   *   d²J/df_k df_l within the row = w (h_kl + s t_kl), where
   *     h_kl = p_k (1{k = l} − p_l)
   *     t_kl = Σ_j u_j d²p_j/df_k df_l = 1{k = l} p_k c_k − p_k p_l (c_k + c_l)
   *   between rows: s Σ_j diag(w h_jk) P W⁻¹ diag(w h_jl)
   *
   * 1 − p is summed from the others, q, and c from differences to the likeliest class, so that a class
   * that is almost certain keeps its digits.
   */
  private final int classes;
  private final int[] labels;
  private final double[][] probability; // p, by class
  private final double[][] complement; // q
  private final double[][] centred; // c; empty if gamma is 1
  private final double[][] weighted; // scratch for w h; empty if gamma is 1
  private final double[] scratch;
  private final SoftmaxBlock block;

  SoftmaxState(int classes, AnchorObjective objective) {
    super(objective);
    this.classes = classes;
    var buffers = objective.buffers();
    labels = buffers.ints(rows);
    probability = buffers.doubles(classes, rows);
    complement = buffers.doubles(classes, rows);
    scratch = buffers.doubles(rows);
    block = new SoftmaxBlock(classes);
    centred = buffers.doubles(strength == 0 ? 0 : classes, rows);
    weighted = buffers.doubles(strength == 0 ? 0 : classes, rows);
  }

  @Override
  public int outputs() {
    return classes;
  }

  @Override
  public boolean shiftInvariant() {
    return true;
  }

  @Override
  public void gradients(double[] target) {
    for (int k = 0; k < classes; k++) {
      int at = k * rows;
      for (int row = 0; row < rows; row++) {
        double gradient = first(k, row);
        if (strength != 0) {
          gradient += strength * probability[k][row] * centred[k][row];
        }
        target[at + row] = weights[row] * gradient;
      }
    }
  }

  @Override
  public void growthHessians(double[] target) {
    for (int k = 0; k < classes; k++) {
      hessians(k, k, scratch);
      System.arraycopy(scratch, 0, target, k * rows, rows);
    }
  }

  @Override
  public void curvatures(int k, int l, boolean third, double[] target) {
    hessians(k, l, target);
    if (!third || strength == 0) {
      return;
    }
    double[] p = probability[k];
    double[] q = probability[l];
    for (int row = 0; row < rows; row++) {
      double term = -p[row] * q[row] * (centred[k][row] + centred[l][row]);
      if (k == l) {
        term += p[row] * centred[k][row];
      }
      target[row] += weights[row] * strength * term;
    }
  }

  @Override
  public void hessians(int k, int l, double[] target) {
    for (int row = 0; row < rows; row++) {
      double other = k == l ? complement[k][row] : -probability[l][row];
      target[row] = weights[row] * probability[k][row] * other;
    }
  }

  /**
   * Adds up gradients and second derivatives by leaf, of leaves with a value for each raw score;
   * gamma must be 1.
   *
   * @param unknownOf the first value of each row's leaf
   * @param blocks a matrix for each leaf, row-major; only the lower triangle is changed
   */
  public void addUp(int[] unknownOf, double[] gradient, double[] blocks) {
    double[] p = new double[classes];
    for (int row = 0; row < rows; row++) {
      int unknown = unknownOf[row];
      for (int k = 0; k < classes; k++) {
        p[k] = probability[k][row];
        gradient[unknown + k] += weights[row] * first(k, row);
      }
      int at = unknown * classes;
      for (int k = 0; k < classes; k++, at += classes) {
        double weighted = weights[row] * p[k];
        for (int l = 0; l < k; l++) {
          blocks[at + l] += weighted * -p[l];
        }
        blocks[at + k] += weighted * complement[k][row];
      }
    }
  }

  @Override
  void coupling(int[] outputs, int[][] unknownOf, int unknowns, double[] matrix) {
    double[][] hessians = Arrays.copyOf(weighted, outputs.length);
    for (int j = 0; j < classes; j++) {
      for (int a = 0; a < outputs.length; a++) {
        hessians(outputs[a], j, hessians[a]);
      }
      projection.addCoupling(strength, hessians, unknownOf, unknowns, matrix);
    }
  }

  @Override
  double derivatives(Objective objective, double[] rowLabels, double[] scores) {
    double base = 0;
    for (int from = 0; from < rows; from += block.rows) {
      int count = Math.min(block.rows, rows - from);
      boolean finite = block.take(scores, rows, from, count);
      if (finite) {
        block.write(probability, complement, from, count);
      }
      for (int row = from; row < from + count; row++) {
        labels[row] = (int) rowLabels[row];
        double loss =
            finite
                ? block.loss(row - from, scores[labels[row] * rows + row])
                : derivatives((Softmax) objective, rowLabels[row], scores, row);
        base += weights[row] * loss;
      }
    }
    return base;
  }

  private double derivatives(Softmax softmax, double label, double[] scores, int row) {
    double[] p = new double[classes];
    double[] q = new double[classes];
    double loss = softmax.loss(label, scores, row, rows, p, q);
    for (int k = 0; k < classes; k++) {
      probability[k][row] = p[k];
      complement[k][row] = q[k];
    }
    return loss;
  }

  /** r_k. */
  double first(int k, int row) {
    return k == labels[row] ? -complement[k][row] : probability[k][row];
  }

  @Override
  double projectedSquare() {
    double square = 0;
    double[] first = scratch;
    for (int k = 0; k < classes; k++) {
      for (int row = 0; row < rows; row++) {
        first[row] = first(k, row);
      }
      double[] projected = centred[k]; // u, for now
      projection.project(first, projected);
      double ofClass = 0;
      for (int row = 0; row < rows; row++) {
        ofClass += weights[row] * projected[row] * projected[row];
      }
      square += ofClass;
    }
    for (int row = 0; row < rows; row++) {
      int likeliest = 0;
      for (int k = 1; k < classes; k++) {
        if (probability[k][row] > probability[likeliest][row]) {
          likeliest = k;
        }
      }
      double ofLikeliest = centred[likeliest][row];
      double mean = 0; // of u, less that of the likeliest class
      for (int k = 0; k < classes; k++) {
        centred[k][row] -= ofLikeliest;
        mean += probability[k][row] * centred[k][row];
      }
      for (int k = 0; k < classes; k++) {
        centred[k][row] -= mean;
      }
    }
    return square;
  }
}
