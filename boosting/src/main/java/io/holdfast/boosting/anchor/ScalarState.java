package io.holdfast.boosting.anchor;

import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.objective.DerivativeBlock;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;

/** The anchor objective of a loss of one raw score a row. */
public final class ScalarState extends AnchorState {
  /*
   * With s = gamma − 1 and u = P r (docs/math.md):
   * dJ/df = w (r + s u h), and d²J/df² = diag(w (h + s u t)) + s diag(w h) P W⁻¹ diag(w h).
   *
   * Rows are evaluated in blocks that stay in cache, in arrays that begin with the block's first row,
   * which lets the compiler vectorise. What is read several times is kept with its weight.
   */
  final double[] first; // r, if gamma is not 1
  final double[] second; // h, if gamma is not 1
  final double[] third; // t, if gamma is not 1
  final double[] projected; // u, if gamma is not 1
  private final double[] gradients; // dJ/df
  private final double[] hessians; // w h
  private final double[] growth; // w times the curvature that trees grow on
  private final double[] losses; // w L, if there are several workers: summed in order
  private final DerivativeBlock[] blocks;
  private final Workers workers;
  private boolean curvatureStays; // constant and known; the third derivative is 0

  ScalarState(AnchorObjective objective) {
    super(objective);
    var buffers = objective.buffers();
    gradients = buffers.doubles(rows);
    hessians = buffers.doubles(rows);
    growth = buffers.doubles(rows);
    boolean anchored = strength != 0;
    first = buffers.doubles(anchored ? rows : 0);
    second = buffers.doubles(anchored ? rows : 0);
    third = buffers.doubles(anchored ? rows : 0);
    projected = buffers.doubles(anchored ? rows : 0);
    blocks = objective.blocks;
    workers = objective.workers();
    losses = buffers.doubles(workers.count() > 1 ? rows : 0);
  }

  @Override
  public int outputs() {
    return 1;
  }

  @Override
  public boolean shiftInvariant() {
    return false;
  }

  /** What {@link #gradients(double[])} writes, valid until the next evaluation; may be longer. */
  public double[] gradients() {
    return gradients;
  }

  /** What {@link #growthHessians(double[])} writes, likewise. */
  public double[] growthHessians() {
    return growth;
  }

  @Override
  public void gradients(double[] target) {
    System.arraycopy(gradients, 0, target, 0, rows);
  }

  /**
   * Adds what {@link #gradients} and {@link #curvatures} write to the sums of each row's unknown.
   */
  public void addUp(
      boolean withThird, int[] unknownOf, double[] gradientSums, double[] curvatureSums) {
    boolean bent = withThird && strength != 0 && !curvatureStays;
    double[] curvatures = withThird ? hessians : growth;
    if (bent || workers.count() == 1) {
      for (int row = 0; row < rows; row++) {
        int unknown = unknownOf[row];
        gradientSums[unknown] += gradients[row];
        curvatureSums[unknown] += bent ? curvature(row) : curvatures[row];
      }
      return;
    }
    // Each sum in the order of the rows, whoever adds it up.
    workers.run(
        2,
        true,
        (worker, task) -> {
          if (task == 0) {
            addUp(gradients, unknownOf, gradientSums);
          } else {
            addUp(curvatures, unknownOf, curvatureSums);
          }
        });
  }

  private void addUp(double[] values, int[] unknownOf, double[] sums) {
    for (int row = 0; row < rows; row++) {
      sums[unknownOf[row]] += values[row];
    }
  }

  @Override
  public void growthHessians(double[] target) {
    System.arraycopy(growth, 0, target, 0, rows);
  }

  @Override
  public void curvatures(int k, int l, boolean withThird, double[] target) {
    if (!withThird || strength == 0) {
      System.arraycopy(withThird ? hessians : growth, 0, target, 0, rows);
      return;
    }
    for (int row = 0; row < rows; row++) {
      target[row] = curvature(row);
    }
  }

  private double curvature(int row) {
    return weights[row] * (second[row] + strength * projected[row] * third[row]);
  }

  @Override
  public void hessians(int k, int l, double[] target) {
    System.arraycopy(hessians, 0, target, 0, rows);
  }

  @Override
  void coupling(int[] outputs, int[][] unknownOf, int unknowns, double[] matrix) {
    projection.addCoupling(strength, new double[][] {hessians}, unknownOf, unknowns, matrix);
  }

  @Override
  double derivatives(Objective objective, double[] labels, double[] scores) {
    ScalarObjective scalar = (ScalarObjective) objective;
    boolean stays = scalar.constantCurvature();
    boolean withCurvature = !(stays && curvatureStays);
    curvatureStays = stays;
    if (workers.count() == 1) {
      return derivatives(scalar, labels, scores, 0, rows, withCurvature, blocks[0]);
    }
    workers.rows(
        0,
        rows,
        (worker, from, to) ->
            derivatives(scalar, labels, scores, from, to, withCurvature, blocks[worker]));
    double base = 0;
    for (int row = 0; row < rows; row++) {
      base += losses[row];
    }
    return base;
  }

  private double derivatives(
      ScalarObjective scalar,
      double[] labels,
      double[] scores,
      int start,
      int end,
      boolean withCurvature,
      DerivativeBlock block) {
    double base = 0;
    for (int from = start; from < end; from += DerivativeBlock.ROWS) {
      int count = Math.min(DerivativeBlock.ROWS, end - from);
      System.arraycopy(labels, from, block.labels, 0, count);
      System.arraycopy(scores, from, block.scores, 0, count);
      scalar.derivatives(block, count);
      if (strength != 0) {
        System.arraycopy(block.first, 0, first, from, count); // dJ/df is made of it later
      }
      if (!unitWeights) {
        System.arraycopy(weights, from, block.weights, 0, count);
        weigh(block.weights, block.loss, count);
        weigh(block.weights, block.first, count);
      }
      if (workers.count() > 1) {
        System.arraycopy(block.loss, 0, losses, from, count);
      } else {
        for (int k = 0; k < count; k++) {
          base += block.loss[k];
        }
      }
      if (strength == 0) {
        System.arraycopy(block.first, 0, gradients, from, count);
      }
      if (withCurvature) {
        curvature(block, from, count);
      }
    }
    return base;
  }

  private void curvature(DerivativeBlock block, int from, int count) {
    if (strength != 0) {
      System.arraycopy(block.second, 0, second, from, count);
      System.arraycopy(block.third, 0, third, from, count);
    }
    if (!unitWeights) {
      weigh(block.weights, block.second, count);
      weigh(block.weights, block.growth, count);
    }
    System.arraycopy(block.second, 0, hessians, from, count);
    System.arraycopy(block.growth, 0, growth, from, count);
  }

  private static void weigh(double[] weights, double[] values, int count) {
    for (int k = 0; k < count; k++) {
      values[k] *= weights[k];
    }
  }

  @Override
  double projectedSquare() {
    projection.project(first, projected);
    double square = 0;
    for (int row = 0; row < rows; row++) {
      double u = projected[row];
      square += weights[row] * u * u;
      gradients[row] = weights[row] * (first[row] + strength * u * second[row]);
    }
    return square;
  }
}
