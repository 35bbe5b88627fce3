package io.holdfast.bench.scoring;

import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Binned thresholds: a feature becomes the number of thresholds below it once a row, by halving,
 * and trees compare these numbers in nodes of eight bytes, with branches.
 */
final class BinnedLayout implements Layout {
  private static final int BIN_SHIFT = 48; // bin 16 | column 16 | left child, or leaf, 32
  private static final int COLUMN_SHIFT = 32;

  private final double intercept;
  private final double[][] thresholds; // by feature, rising
  private final int[] roots;
  private final long[] nodes;
  private final int[] right;
  private final double[] values;
  private final int[] bins; // a row's: missing values below all bins, then above all

  BinnedLayout(Ensemble ensemble) {
    intercept = ensemble.intercept();
    int width = ensemble.width();
    thresholds = thresholds(ensemble);
    bins = new int[2 * width];
    roots = new int[ensemble.members().size()];
    nodes = new long[ensemble.nodes()];
    right = new int[nodes.length];
    values = new double[ensemble.leaves()];
    int firstNode = 0;
    int firstLeaf = 0;
    int k = 0;
    for (Ensemble.Member member : ensemble.members()) {
      Tree tree = member.tree();
      roots[k++] = member.root() < 0 ? -1 - firstLeaf : firstNode;
      for (int node = 0; node < tree.innerNodes(); node++) {
        int feature = tree.feature(node);
        long bin = Arrays.binarySearch(thresholds[feature], tree.threshold(node) + 0.0);
        long column = tree.missingLeft(node) ? feature : feature + width;
        int left = place(tree.left(node), firstNode, firstLeaf);
        nodes[firstNode + node] =
            (bin << BIN_SHIFT) | (column << COLUMN_SHIFT) | (left & 0xFFFF_FFFFL);
        right[firstNode + node] = place(tree.right(node), firstNode, firstLeaf);
      }
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        values[firstLeaf + leaf] = member.value(leaf);
      }
      firstNode += tree.innerNodes();
      firstLeaf += tree.leaves();
    }
  }

  private static double[][] thresholds(Ensemble ensemble) {
    List<TreeSet<Double>> sets = new ArrayList<>();
    for (int feature = 0; feature < ensemble.width(); feature++) {
      sets.add(new TreeSet<>());
    }
    for (Ensemble.Member member : ensemble.members()) {
      Tree tree = member.tree();
      for (int node = 0; node < tree.innerNodes(); node++) {
        sets.get(tree.feature(node)).add(tree.threshold(node) + 0.0); // −0 is 0
      }
    }
    return sets.stream()
        .map(set -> set.stream().mapToDouble(Double::doubleValue).toArray())
        .toArray(double[][]::new);
  }

  private static int place(int child, int firstNode, int firstLeaf) {
    return child < 0 ? child - firstLeaf : child + firstNode;
  }

  @Override
  public double score(double[] row) {
    for (int k = 0; k < row.length; k++) {
      if (Double.isNaN(row[k])) {
        bins[k] = -1;
        bins[row.length + k] = Integer.MAX_VALUE;
      } else {
        int bin = bin(thresholds[k], row[k]);
        bins[k] = bin;
        bins[row.length + k] = bin;
      }
    }
    double sum = intercept;
    for (int root : roots) {
      int node = root;
      while (node >= 0) {
        long word = nodes[node];
        int bin = bins[(int) (word >>> COLUMN_SHIFT) & 0xFFFF];
        node = bin <= (int) (word >>> BIN_SHIFT) ? (int) word : right[node];
      }
      sum += values[-1 - node];
    }
    return sum;
  }

  /** How many thresholds are below a number. */
  private static int bin(double[] thresholds, double x) {
    int from = 0;
    int to = thresholds.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (thresholds[middle] < x) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
