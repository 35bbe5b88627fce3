package io.holdfast.boosting.split;

import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;

/**
 * How far one tree may grow. Immutable.
 *
 * @param maxLeaves 2 to 65536
 * @param maxDepth splits between root and leaf at most, 1 or more
 * @param minRows in a leaf, 1 or more; counted, not weighed
 * @param minHessian sum of weighted hessians in a leaf
 * @param minGain what the gain of a split must exceed, with the factor ½ of docs/math.md
 */
public record TreeLimits(
    int maxLeaves, int maxDepth, int minRows, double minHessian, double minGain) {
  /** 31 leaves, depth 6, 20 rows and a hessian of 0.001 a leaf, any gain above 0. */
  public static final TreeLimits DEFAULT = new TreeLimits(31, 6, 20, 1e-3, 0);

  public TreeLimits {
    boolean leaves = maxLeaves >= 2 && maxLeaves <= Tree.MAX_LEAVES;
    Check.that(leaves, "maxLeaves must be 2 to %s: %s", Tree.MAX_LEAVES, maxLeaves);
    Check.that(maxDepth >= 1, "maxDepth must be at least 1: %s", maxDepth);
    Check.that(minRows >= 1, "minRows must be at least 1: %s", minRows);
    Check.that(minHessian >= 0, "minHessian must be 0 or more, not NaN: %s", minHessian);
    Check.that(minGain >= 0, "minGain must be 0 or more, not NaN: %s", minGain);
  }

  public TreeLimits withMaxLeaves(int value) {
    return new TreeLimits(value, maxDepth, minRows, minHessian, minGain);
  }

  public TreeLimits withMaxDepth(int value) {
    return new TreeLimits(maxLeaves, value, minRows, minHessian, minGain);
  }

  public TreeLimits withMinRows(int value) {
    return new TreeLimits(maxLeaves, maxDepth, value, minHessian, minGain);
  }
}
