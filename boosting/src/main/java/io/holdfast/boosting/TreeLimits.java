package io.holdfast.boosting;

import io.holdfast.boosting.model.Tree;

/**
 * How far one tree may grow.
 *
 * @param maxLeaves leaves at most, 2 to 65536
 * @param maxDepth splits between root and leaf at most, 1 or more
 * @param minRows rows in a leaf at least, 1 or more; rows are counted, not weighed
 * @param minHessian sum of weighted hessians in a leaf at least
 * @param minGain gain of a split must exceed this; on the scale of docs/math.md, with its factor ½
 */
public record TreeLimits(
    int maxLeaves, int maxDepth, int minRows, double minHessian, double minGain) {
  public TreeLimits {
    Check.that(
        maxLeaves >= 2 && maxLeaves <= Tree.MAX_LEAVES,
        "maxLeaves must be 2 to %s: %s",
        Tree.MAX_LEAVES,
        maxLeaves);
    Check.that(maxDepth >= 1, "maxDepth must be at least 1: %s", maxDepth);
    Check.that(minRows >= 1, "minRows must be at least 1: %s", minRows);
    Check.that(minHessian >= 0, "minHessian must be 0 or more, not NaN: %s", minHessian);
    Check.that(minGain >= 0, "minGain must be 0 or more, not NaN: %s", minGain);
  }
}
