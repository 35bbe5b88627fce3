package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.numeric.WeightedQuantile;
import java.util.Arrays;

/** Leaf values of a loss without curvature: a weighted quantile of each leaf's residuals. */
final class LeafQuantiles {
  private LeafQuantiles() {}

  /**
   * Residuals y − f of the one raw score that a row has, by leaf; within the leaf's bounds, and 0
   * for a leaf without rows.
   */
  static double[] of(
      AnchorObjective objective, double[] scores, LeafLayout layout, double quantile) {
    int[] unknownOf = layout.unknownOf[0];
    int[] start = new int[layout.size + 1];
    for (int row = 0; row < layout.rows; row++) {
      start[unknownOf[row] + 1]++;
    }
    for (int unknown = 0; unknown < layout.size; unknown++) {
      start[unknown + 1] += start[unknown];
    }
    double[] residuals = new double[layout.rows];
    double[] weights = new double[layout.rows];
    int[] byLeaf = new int[layout.rows];
    int[] next = Arrays.copyOf(start, layout.size);
    for (int row = 0; row < layout.rows; row++) {
      byLeaf[next[unknownOf[row]]++] = row;
      residuals[row] = objective.label(row) - scores[row];
      weights[row] = objective.weight(row);
    }
    double[] values = new double[layout.size];
    int[] scratch = new int[layout.rows];
    for (int unknown = 0; unknown < layout.size; unknown++) {
      int rows = start[unknown + 1] - start[unknown];
      if (rows > 0) {
        int[] members = Arrays.copyOfRange(byLeaf, start[unknown], start[unknown + 1]);
        double value = WeightedQuantile.of(members, rows, residuals, weights, quantile, scratch);
        values[unknown] = Math.clamp(value, layout.lower[unknown], layout.upper[unknown]);
      }
    }
    return values;
  }
}
