package io.holdfast.boosting.anchor;

import io.holdfast.boosting.data.Rows;

/**
 * The projection of a categorical anchor: the weighted mean of each row's group. Immutable; safe to
 * share.
 */
public final class GroupMeans implements Projection {
  /*
   * One pass over the rows adds up the groups, another hands out the means: no matrix. With
   * S[e][l] the sum of `weighted` over rows of group e in leaf l, and W[e] the weight of group e, the
   * coupling is Sᵀ diag(1/W) S. Cost O(n + groups · leaves²).
   */
  private final int[] groupOf;
  private final double[] weights;
  private final double[] groupWeights;

  /**
   * A projection onto group indicators.
   *
   * @param groupOf each row's group, from 0 up to {@code groups}; a group may have no rows
   * @param weights of the rows, above 0
   */
  public GroupMeans(int[] groupOf, int groups, double[] weights) {
    this.groupOf = groupOf.clone();
    this.weights = weights.clone();
    groupWeights = new double[groups];
    for (int row = 0; row < groupOf.length; row++) {
      groupWeights[groupOf[row]] += weights[row];
    }
  }

  /** Onto the indicators of the rows' environments. */
  public static GroupMeans ofEnvironments(Rows rows) {
    int[] groupOf = new int[rows.size()];
    double[] weights = new double[rows.size()];
    for (int row = 0; row < groupOf.length; row++) {
      groupOf[row] = rows.environment(row);
      weights[row] = rows.weight(row);
    }
    return new GroupMeans(groupOf, rows.environments().size(), weights);
  }

  @Override
  public int rows() {
    return groupOf.length;
  }

  @Override
  public void project(double[] values, double[] target) {
    double[] sums = new double[groupWeights.length];
    for (int row = 0; row < groupOf.length; row++) {
      sums[groupOf[row]] += weights[row] * values[row];
    }
    for (int group = 0; group < sums.length; group++) {
      sums[group] /= groupWeights[group]; // NaN for a group without rows, which nobody reads
    }
    for (int row = 0; row < groupOf.length; row++) {
      target[row] = sums[groupOf[row]];
    }
  }

  @Override
  public void addCoupling(
      double scale, double[] weighted, int[] leafOf, int leaves, double[] matrix) {
    double[] cells = new double[groupWeights.length * leaves];
    for (int row = 0; row < groupOf.length; row++) {
      cells[groupOf[row] * leaves + leafOf[row]] += weighted[row];
    }
    for (int group = 0; group < groupWeights.length; group++) {
      if (groupWeights[group] == 0) {
        continue;
      }
      double factor = scale / groupWeights[group];
      int first = group * leaves;
      for (int a = 0; a < leaves; a++) {
        double scaled = factor * cells[first + a];
        if (scaled == 0) {
          continue;
        }
        for (int b = 0; b < leaves; b++) {
          matrix[a * leaves + b] += scaled * cells[first + b];
        }
      }
    }
  }
}
