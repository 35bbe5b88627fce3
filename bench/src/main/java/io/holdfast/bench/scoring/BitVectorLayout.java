package io.holdfast.bench.scoring;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * QuickScorer (Lucchese et al., SIGIR 2015): a tree keeps a bit for each leaf, numbered from the
 * left; each test that a row fails clears the leaves of its left subtree, and the leaf that was
 * reached is the first whose bit is left. Tests are gone through by feature, by rising threshold.
 */
final class BitVectorLayout implements Layout {
  private record Test(double threshold, boolean missingLeft, int tree, long mask) {}

  private final double intercept;
  private final double[][] thresholds; // by feature, rising
  private final int[][] trees;
  private final long[][] masks;
  private final boolean[][] missingLeft;
  private final double[] values; // of leaf l of tree t at [64 t + l]
  private final long[] left; // by tree

  /** Lays trees of at most 64 leaves out. */
  BitVectorLayout(Ensemble ensemble) {
    intercept = ensemble.intercept();
    int size = ensemble.members().size();
    values = new double[size * Long.SIZE];
    left = new long[size];
    List<List<Test>> tests = new ArrayList<>();
    for (int feature = 0; feature < ensemble.width(); feature++) {
      tests.add(new ArrayList<>());
    }
    for (int tree = 0; tree < size; tree++) {
      Ensemble.Member member = ensemble.members().get(tree);
      Check.that(
          member.tree().leaves() <= Long.SIZE,
          "a tree of bit vectors must have at most 64 leaves: %s",
          member.tree().leaves());
      number(member, member.root(), 0, tree, tests);
    }
    thresholds = new double[ensemble.width()][];
    trees = new int[ensemble.width()][];
    masks = new long[ensemble.width()][];
    missingLeft = new boolean[ensemble.width()][];
    for (int feature = 0; feature < ensemble.width(); feature++) {
      List<Test> of = tests.get(feature);
      of.sort(Comparator.comparingDouble(Test::threshold));
      thresholds[feature] = of.stream().mapToDouble(Test::threshold).toArray();
      trees[feature] = of.stream().mapToInt(Test::tree).toArray();
      masks[feature] = of.stream().mapToLong(Test::mask).toArray();
      missingLeft[feature] = new boolean[of.size()];
      for (int k = 0; k < of.size(); k++) {
        missingLeft[feature][k] = of.get(k).missingLeft();
      }
    }
  }

  /** Numbers the leaves below a node from one on; returns the number behind the last. */
  private int number(
      Ensemble.Member member, int node, int first, int treeNumber, List<List<Test>> tests) {
    if (node < 0) {
      values[treeNumber * Long.SIZE + first] = member.value(-1 - node);
      return first + 1;
    }
    Tree tree = member.tree();
    int middle = number(member, tree.left(node), first, treeNumber, tests);
    long below =
        ((1L << (middle - first)) - 1) << first; // never all 64: the right subtree has some
    tests
        .get(tree.feature(node))
        .add(new Test(tree.threshold(node), tree.missingLeft(node), treeNumber, ~below));
    return number(member, tree.right(node), middle, treeNumber, tests);
  }

  @Override
  public double score(double[] row) {
    Arrays.fill(left, -1);
    for (int feature = 0; feature < row.length; feature++) {
      double x = row[feature];
      if (Double.isNaN(x)) {
        clearMissing(trees[feature], masks[feature], missingLeft[feature], left);
      } else {
        clear(thresholds[feature], trees[feature], masks[feature], x, left);
      }
    }
    double sum = intercept;
    for (int tree = 0; tree < left.length; tree++) {
      sum += values[tree * Long.SIZE + Long.numberOfTrailingZeros(left[tree])];
    }
    return sum;
  }

  private static void clear(
      double[] thresholds, int[] trees, long[] masks, double x, long[] target) {
    for (int k = 0; k < thresholds.length && x > thresholds[k]; k++) {
      target[trees[k]] &= masks[k];
    }
  }

  private static void clearMissing(
      int[] trees, long[] masks, boolean[] missingLeft, long[] target) {
    for (int k = 0; k < trees.length; k++) {
      if (!missingLeft[k]) {
        target[trees[k]] &= masks[k];
      }
    }
  }
}
