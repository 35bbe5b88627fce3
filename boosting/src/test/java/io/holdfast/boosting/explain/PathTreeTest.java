package io.holdfast.boosting.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.GaussLegendre;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathTreeTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void addContributions_anyTreeAndRow_areShapleyValues(long seed) {
    var random = new SplittableRandom(seed);
    for (int round = 0; round < 60; round++) {
      int outputs = 1 + random.nextInt(3);
      Tree tree = withVectors(SampleModels.tree(random, random.nextInt(20)), outputs, random);
      double[] covers = covers(random, tree.leaves(), seed % 4 * 0.2);
      double[] features = SampleRows.values(random);
      double[] contributions = contributions(tree, 0.7, covers, features);
      double[] expected = new double[outputs + 1];
      new PathTree(tree, 0.7, covers, 4).addExpected(expected);
      for (int k = 0; k < outputs; k++) {
        double[] brute = BruteForce.contributions(tree, covers, features, k);
        for (int column = 0; column < features.length; column++) {
          assertThat(contributions[(1 + k) * 4 + column])
              .as("%s of %s in round %s", column, k, round)
              .isCloseTo(0.7 * brute[column], within(1e-13));
        }
        assertThat(expected[1 + k])
            .isCloseTo(0.7 * BruteForce.value(tree, covers, features, 0, k), within(1e-13));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"256, 1", "256, 2", "256, 40", "64, 64", "256, 300"})
  void addContributions_deepTree_keepAllDigits(int depth, int width) {
    var random = new SplittableRandom(depth + width);
    Tree tree = chain(random, depth, width);
    double[] covers = covers(random, tree.leaves(), 0.02);
    double[] features = new double[width];
    for (int column = 0; column < width; column++) {
      features[column] = random.nextInt(6) == 0 ? Double.NaN : random.nextDouble();
    }
    double[] contributions = contributions(tree, 1, covers, features);
    double[] reference = BruteForce.longPaths(tree, covers, features);
    double sum = 0;
    for (int column = 0; column < width; column++) {
      sum += contributions[column];
      assertThat(contributions[column])
          .as("feature %s", column)
          .isCloseTo(reference[column], within(1e-14 + 1e-12 * Math.abs(reference[column])));
    }
    double[] expected = new double[1];
    new PathTree(tree, 1, covers, width).addExpected(expected);
    double value = tree.leafValue(tree.leafOf(features));
    assertThat(expected[0] + sum).isCloseTo(value, within(1e-13));
  }

  @Test
  void addContributions_oneLeaf_nothing() {
    Tree tree = SampleModels.tree(new SplittableRandom(1), 0);
    assertThat(contributions(tree, 1, new double[1], new double[4])).containsOnly(0);
  }

  @Test
  void addContributions_rowOnAPathNobodyTook_areFiniteAndAddUp() {
    Tree tree = SampleModels.tree(new SplittableRandom(3), 15);
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      double[] covers = new double[tree.leaves()];
      covers[leaf] = 5;
      var random = new SplittableRandom(leaf);
      double[] features = SampleRows.values(random);
      double[] contributions = contributions(tree, 1, covers, features);
      double value = tree.leafValue(tree.leafOf(features));
      assertThat(tree.leafValue(leaf) + Arrays.stream(contributions).sum())
          .isCloseTo(value, within(1e-14));
    }
  }

  /** The contributions, to raw score 0 and from 1 on, with a workspace that another tree used. */
  private static double[] contributions(
      Tree tree, double decay, double[] covers, double[] features) {
    var laidOut = new PathTree(tree, decay, covers, features.length);
    var workspace = new PathTree.Workspace();
    Tree other = SampleModels.tree(new SplittableRandom(9), 11);
    double[] target = new double[(tree.output() + tree.outputs()) * features.length];
    var before = new PathTree(other, 1, covers(new SplittableRandom(1), 12, 0), 4);
    workspace.reserve(before);
    workspace.reserve(laidOut);
    before.addContributions(
        new double[4], new GaussLegendre(before.points()), workspace, new double[4]);
    laidOut.addContributions(features, new GaussLegendre(laidOut.points()), workspace, target);
    return target;
  }

  private static double[] covers(SplittableRandom random, int leaves, double empty) {
    double[] covers = new double[leaves];
    for (int leaf = 0; leaf < leaves; leaf++) {
      covers[leaf] = random.nextDouble() < empty ? 0 : (float) (100 * random.nextDouble());
    }
    return covers;
  }

  /** The same tree with several values a leaf, for the raw scores from 1 on. */
  private static Tree withVectors(Tree tree, int outputs, SplittableRandom random) {
    int nodes = tree.innerNodes();
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] categorySet = new long[nodes][];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      feature[node] = tree.feature(node);
      threshold[node] = tree.threshold(node);
      missingLeft[node] = tree.missingLeft(node);
      categorySet[node] = tree.categorySet(node);
      left[node] = tree.left(node);
      right[node] = tree.right(node);
    }
    double[] values = new double[tree.leaves() * outputs];
    for (int k = 0; k < values.length; k++) {
      values[k] = random.nextDouble() - 0.5;
    }
    var leaves = new Tree.Leaves(values, 1, outputs);
    return new Tree(feature, threshold, missingLeft, categorySet, left, right, leaves);
  }

  /** A tree of one long path, a leaf hanging off each node of it to the left or the right. */
  private static Tree chain(SplittableRandom random, int depth, int width) {
    int[] feature = new int[depth];
    double[] threshold = new double[depth];
    boolean[] missingLeft = new boolean[depth];
    int[] left = new int[depth];
    int[] right = new int[depth];
    double[] values = new double[depth + 1];
    for (int node = 0; node < depth; node++) {
      feature[node] = width >= depth ? node : random.nextInt(width);
      threshold[node] = random.nextDouble();
      missingLeft[node] = random.nextBoolean();
      int next = node == depth - 1 ? -1 - depth : node + 1;
      boolean onLeft = random.nextBoolean();
      left[node] = onLeft ? next : -1 - node;
      right[node] = onLeft ? -1 - node : next;
      values[node] = random.nextDouble() - 0.5;
    }
    values[depth] = 10;
    return new Tree(feature, threshold, missingLeft, new long[depth][0], left, right, values);
  }
}
