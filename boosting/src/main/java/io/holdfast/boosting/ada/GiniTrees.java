package io.holdfast.boosting.ada;

import io.holdfast.boosting.ada.Learner.Structure;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.GrowthSettings;
import io.holdfast.boosting.tree.TreeGrower;
import io.holdfast.boosting.tree.TreeStructure;

/** Grows trees by weighted Gini impurity. Owned by one thread. */
final class GiniTrees implements Learner {
  /*
   * With gradient −w for a row's class, 0 for the others, and hessian w, the engine's gain of a split
   * is ½ Σ_k m_k²/m summed over the sides less that of the parent, m_k being the weight of class k
   * and m that of all: half the fall of the weighted Gini impurity m (1 − Σ_k (m_k/m)²). With two
   * classes one gradient ±w gives the same gain: m_1²+ m_0² = ½ (m² + (m_1 − m_0)²).
   *
   * Rows that were not drawn have no weight, and the least number of rows in a leaf then bounds the
   * sum of hessians, in which each draw counts the same.
   */
  private static final double MIN_GAIN = 1e-12; // of a total weight of 1: a gain, not rounding

  private final int[] labels;
  private final int classes;
  private final double[] gradients;
  private final double[] hessians;
  private final TreeGrower grower;

  GiniTrees(BinnedRows binned, int[] labels, int classes, AdaBoostSettings settings) {
    this.labels = labels;
    this.classes = classes;
    int outputs = classes == 2 ? 1 : classes;
    gradients = new double[Math.multiplyExact(outputs, labels.length)];
    hessians = new double[gradients.length];
    int depth = settings.maxDepth();
    int minRows = settings.minRows();
    double leastDrawn = (minRows - 0.5) / labels.length;
    var limits =
        settings.resample()
            ? new TreeLimits(1 << depth, depth, 1, leastDrawn, MIN_GAIN)
            : new TreeLimits(1 << depth, depth, minRows, 0, MIN_GAIN);
    grower =
        new TreeGrower(binned, GrowthSettings.of(limits, Penalties.ridge(0)).withOutputs(outputs));
  }

  @Override
  public Structure grow(double[] masses, int[] times) {
    int rows = labels.length;
    for (int row = 0; row < rows; row++) {
      if (classes == 2) {
        gradients[row] = labels[row] == 1 ? -masses[row] : masses[row];
        hessians[row] = masses[row];
        continue;
      }
      for (int k = 0; k < classes; k++) {
        gradients[k * rows + row] = labels[row] == k ? -masses[row] : 0;
        hessians[k * rows + row] = masses[row];
      }
    }
    TreeStructure tree = grower.grow(gradients, hessians, 0);
    return new Structure(
        tree.leaves(),
        tree.leafOf(),
        (values, outputs, covers) -> tree.withLeafValues(values, 0, outputs, covers));
  }

  @Override
  public void close() {
    grower.close();
  }
}
