package io.holdfast.boosting.ada;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.model.Tree;
import org.jspecify.annotations.Nullable;

/**
 * One split, or none, and the side of each row.
 *
 * @param feature the column that is looked at; −1 if there is no split, and one leaf
 * @param threshold of a numeric feature: values at most this go left
 * @param categories of a categorical feature: the bit set of codes, or groups of them, that go
 *     left; else empty
 * @param groups what the feature's codes are put together to; null if they are not
 * @param gain the weight of rows that the split puts right
 * @param leafOf the side of each row: 0 is left, 1 right
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and only this package sees it
record Stump(
    int feature,
    double threshold,
    long[] categories,
    @Nullable CategoryGroups groups,
    boolean missingLeft,
    double gain,
    int[] leafOf)
    implements Structure {

  @Override
  public int leaves() {
    return feature < 0 ? 1 : 2;
  }

  @Override
  public int[] leafOf() {
    return leafOf.clone();
  }

  @Override
  public Tree withLeafValues(double[] values, int outputs, double[] covers) {
    boolean split = feature >= 0;
    var tree =
        new Tree(
                split ? new int[] {feature} : new int[0],
                split ? new double[] {threshold} : new double[0],
                split ? new boolean[] {missingLeft} : new boolean[0],
                split ? new long[][] {categories} : new long[0][],
                split ? new int[] {-1} : new int[0],
                split ? new int[] {-2} : new int[0],
                new Tree.Leaves(values, 0, outputs))
            .withCategoryGroups(
                split ? new @Nullable CategoryGroups[] {groups} : new @Nullable CategoryGroups[0]);
    float[] floatCovers = new float[covers.length];
    for (int leaf = 0; leaf < covers.length; leaf++) {
      floatCovers[leaf] = (float) Math.min(covers[leaf], Float.MAX_VALUE);
    }
    return tree.withStatistics(split ? new float[] {(float) gain} : new float[0], floatCovers);
  }
}
