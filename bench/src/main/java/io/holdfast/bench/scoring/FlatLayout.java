package io.holdfast.bench.scoring;

import java.util.Arrays;

/**
 * Nodes of all trees as a structure of flat arrays, walked with branches: row by row, or, of a
 * block, a tree at a time down which all rows go.
 */
final class FlatLayout implements Layout {
  private final double intercept;
  private final int[] roots;
  private final int[] feature;
  private final double[] threshold;
  private final boolean[] missingLeft;
  private final int[] left; // a node, or -1 - leaf
  private final int[] right;
  private final double[] values;
  private final boolean treeByTree;

  FlatLayout(Ensemble ensemble, boolean treeByTree) {
    this.treeByTree = treeByTree;
    intercept = ensemble.intercept();
    int nodes = ensemble.nodes();
    roots = new int[ensemble.members().size()];
    feature = new int[nodes];
    threshold = new double[nodes];
    missingLeft = new boolean[nodes];
    left = new int[nodes];
    right = new int[nodes];
    values = new double[ensemble.leaves()];
    int firstNode = 0;
    int firstLeaf = 0;
    int k = 0;
    for (Ensemble.Member member : ensemble.members()) {
      var tree = member.tree();
      roots[k++] = member.root() < 0 ? -1 - firstLeaf : firstNode;
      for (int node = 0; node < tree.innerNodes(); node++) {
        int at = firstNode + node;
        feature[at] = tree.feature(node);
        threshold[at] = tree.threshold(node);
        missingLeft[at] = tree.missingLeft(node);
        left[at] = place(tree.left(node), firstNode, firstLeaf);
        right[at] = place(tree.right(node), firstNode, firstLeaf);
      }
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        values[firstLeaf + leaf] = member.value(leaf);
      }
      firstNode += tree.innerNodes();
      firstLeaf += tree.leaves();
    }
  }

  private static int place(int child, int firstNode, int firstLeaf) {
    return child < 0 ? child - firstLeaf : child + firstNode;
  }

  @Override
  public double score(double[] row) {
    double sum = intercept;
    for (int root : roots) {
      sum += values[-1 - leaf(row, root)];
    }
    return sum;
  }

  private int leaf(double[] row, int root) {
    int node = root;
    while (node >= 0) {
      double x = row[feature[node]];
      boolean goesLeft = missingLeft[node] ? !(x > threshold[node]) : x <= threshold[node];
      node = goesLeft ? left[node] : right[node];
    }
    return node;
  }

  @Override
  public Contender on(TestBench bench) {
    if (!treeByTree) {
      return Layout.super.on(bench);
    }
    double[] sums = new double[bench.rows];
    return (from, rows) -> {
      Arrays.fill(sums, 0, rows, intercept);
      for (int root : roots) {
        for (int k = 0; k < rows; k++) {
          sums[k] += values[-1 - leaf(bench.single[from + k], root)];
        }
      }
      return sums[rows - 1];
    };
  }
}
