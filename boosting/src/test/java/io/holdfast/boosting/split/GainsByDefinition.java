package io.holdfast.boosting.split;

import java.util.ArrayList;
import java.util.List;

/**
 * What splits gain, row by row and by the formulas of docs/math.md, section 3, as they stand:
 * quadratic models are minimised by many sweeps over their values. Immutable.
 */
public final class GainsByDefinition {
  public final double[] gradients; // output-major
  public final double[] hessians;
  private final int rows;
  private final Penalties penalties;
  private final int[] groupOf;
  private final double[] groupWeights;
  private final double strength;

  public GainsByDefinition(double[] gradients, double[] hessians, int rows, Penalties penalties) {
    this(gradients, hessians, rows, penalties, new int[rows], new double[] {1}, 0);
  }

  public GainsByDefinition(
      double[] gradients,
      double[] hessians,
      int rows,
      Penalties penalties,
      int[] groupOf,
      double[] groupWeights,
      double strength) {
    this.gradients = gradients;
    this.hessians = hessians;
    this.rows = rows;
    this.penalties = penalties;
    this.groupOf = groupOf;
    this.groupWeights = groupWeights;
    this.strength = strength;
  }

  /** The gain of a split of all rows, by whether each goes left. */
  public double gain(boolean[] left) {
    int[] sides = new int[rows];
    for (int row = 0; row < rows; row++) {
      sides[row] = left[row] ? 0 : 1;
    }
    return fall(sides, 2) - fall(new int[rows], 1) - penalties.leafPrice();
  }

  /** What the steps of these leaves lower the loss by, up to second order and with penalties. */
  public double fall(int[] leafOf, int leaves) {
    double fall = 0;
    for (int output = 0; output < gradients.length / rows; output++) {
      double[][] matrix = matrix(output, leafOf, leaves);
      double[] slopes = slopes(output, leafOf, leaves);
      double[] steps = minimum(matrix, slopes);
      for (int a = 0; a < leaves; a++) {
        fall -= slopes[a] * steps[a] + penalties.lambda1() * Math.abs(steps[a]);
        for (int b = 0; b < leaves; b++) {
          fall -= 0.5 * steps[a] * matrix[a][b] * steps[b];
        }
      }
    }
    return fall;
  }

  /** The best steps of these leaves, for a single output. */
  public double[] steps(int[] leafOf, int leaves) {
    return minimum(matrix(0, leafOf, leaves), slopes(0, leafOf, leaves));
  }

  private double[] minimum(double[][] matrix, double[] slopes) {
    double[] steps = new double[slopes.length];
    double moved = 1;
    for (int sweep = 0; sweep < 4000 && moved > 1e-14; sweep++) {
      moved = 0;
      for (int a = 0; a < steps.length; a++) {
        double slope = slopes[a];
        for (int b = 0; b < steps.length; b++) {
          slope += b == a ? 0 : matrix[a][b] * steps[b];
        }
        double shrunk = Math.max(Math.abs(slope) - penalties.lambda1(), 0);
        double step = -Math.copySign(shrunk, slope) / matrix[a][a];
        moved = Math.max(moved, Math.abs(step - steps[a]));
        steps[a] = step;
      }
    }
    return steps;
  }

  private double[] slopes(int output, int[] leafOf, int leaves) {
    double[] slopes = new double[leaves];
    for (int row = 0; row < rows; row++) {
      slopes[leafOf[row]] += gradients[output * rows + row];
    }
    return slopes;
  }

  private double[][] matrix(int output, int[] leafOf, int leaves) {
    double[][] matrix = new double[leaves][leaves];
    double[][] shares = new double[groupWeights.length][leaves];
    for (int row = 0; row < rows; row++) {
      double hessian = hessians[output * rows + row];
      matrix[leafOf[row]][leafOf[row]] += hessian;
      shares[groupOf[row]][leafOf[row]] += hessian;
    }
    for (int a = 0; a < leaves; a++) {
      matrix[a][a] += penalties.lambda2();
      for (int b = 0; b < leaves; b++) {
        for (int group = 0; group < shares.length; group++) {
          matrix[a][b] += strength * shares[group][a] * shares[group][b] / groupWeights[group];
        }
      }
    }
    return matrix;
  }

  /** Every way to part numbers at a threshold, missing ones (NaN) either way or by themselves. */
  public static List<boolean[]> partings(double[] x) {
    List<boolean[]> partings = new ArrayList<>();
    for (double cut : x) {
      for (boolean missingLeft : new boolean[] {false, true}) {
        boolean[] left = new boolean[x.length];
        for (int row = 0; row < x.length; row++) {
          left[row] = Double.isNaN(x[row]) ? missingLeft : x[row] <= cut;
        }
        partings.add(left);
      }
    }
    return partings;
  }

  /** The sum over the rows of one side. */
  public double curvature(boolean[] left, boolean side) {
    double sum = 0;
    for (int k = 0; k < hessians.length; k++) {
      sum += left[k % rows] == side ? hessians[k] : 0;
    }
    return sum;
  }

  public static int count(boolean[] left, boolean side) {
    int count = 0;
    for (boolean goesLeft : left) {
      count += goesLeft == side ? 1 : 0;
    }
    return count;
  }
}
