package io.holdfast.boosting.tree;

import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Grows trees on binned rows, one after the other. Buffers are reused from tree to tree: owned by
 * one thread. The result depends on the arguments only.
 */
public final class TreeGrower {
  /*
   * Leaf-wise: the leaf whose best split gains most is split next (the lowest leaf number if equal),
   * until there are enough leaves or no split is worth its price. The left child keeps its parent's
   * leaf number, the right child gets the next.
   *
   * rows[] holds row numbers; a leaf is a stretch of it, in ascending order of rows. Of two children
   * the smaller one's histogram is built (the left if equal), and taken away from the parent's to
   * give the other's. Histograms are recycled; at most one a leaf is alive.
   */
  private final BinnedRows binned;
  private final TreeLimits limits;
  private final SplitSearch search;
  private final int[] rows;
  private final int[] scratch;
  private final double[] pairs;
  private final Deque<Histogram> free = new ArrayDeque<>();
  private final Leaf[] leaves;

  /** One leaf of the tree being grown. */
  private static final class Leaf {
    int from;
    int to;
    int depth;
    int parent = -1;
    Totals totals = Totals.ZERO;
    Split best = Split.NONE;
    @Nullable Histogram histogram; // only while it may be split

    int size() {
      return to - from;
    }
  }

  /**
   * A grower for these rows.
   *
   * @param lambda ridge penalty on leaf values in the gain
   */
  public TreeGrower(BinnedRows binned, TreeLimits limits, double lambda) {
    this.binned = binned;
    this.limits = limits;
    search = new SplitSearch(binned, limits, lambda);
    rows = new int[binned.rows()];
    scratch = new int[binned.rows()];
    pairs = new double[2 * binned.rows()];
    leaves = new Leaf[Math.max(1, Math.min(limits.maxLeaves(), binned.rows()))];
  }

  /** Grows one tree; entry {@code i} of both arrays belongs to row {@code i}, weight included. */
  public TreeStructure grow(double[] gradients, double[] hessians) {
    TreeStructure tree = new TreeStructure(leaves.length, binned.rows());
    startRoot(gradients, hessians);
    int count = 1;
    for (int next = bestLeaf(count); next >= 0; next = bestLeaf(count)) {
      Leaf parent = leaves[next];
      int node = tree.add(parent.best, next, count);
      if (parent.parent >= 0) {
        tree.replaceLeaf(parent.parent, next, node);
      }
      Leaf right = split(parent, node);
      leaves[count++] = right;
      if (count < leaves.length) {
        searchChildren(parent, right, gradients, hessians);
      } else {
        break;
      }
    }
    for (int leaf = 0; leaf < count; leaf++) {
      tree.assign(rows, leaves[leaf].from, leaves[leaf].to, leaf);
      release(leaves[leaf]);
    }
    return tree;
  }

  private void startRoot(double[] gradients, double[] hessians) {
    Leaf root = new Leaf();
    root.to = rows.length;
    double gradient = 0;
    double hessian = 0;
    for (int row = 0; row < rows.length; row++) {
      rows[row] = row;
      gradient += gradients[row];
      hessian += hessians[row];
    }
    root.totals = new Totals(gradient, hessian, rows.length);
    leaves[0] = root;
    if (leaves.length > 1 && splittable(root)) {
      Histogram histogram = histogramOf(root, gradients, hessians);
      root.histogram = histogram;
      root.best = search.best(histogram, root.totals);
    }
  }

  /** The leaf to split next, or −1. */
  private int bestLeaf(int count) {
    int best = -1;
    for (int leaf = 0; leaf < count; leaf++) {
      Split split = leaves[leaf].best;
      if (split.exists() && (best < 0 || split.gain() > leaves[best].best.gain())) {
        best = leaf;
      }
    }
    return best;
  }

  /** Parts the rows of {@code leaf}: it becomes the left child, and the right one is returned. */
  private Leaf split(Leaf leaf, int node) {
    Split split = leaf.best;
    int middle = partition(leaf, split);
    Leaf right = new Leaf();
    right.from = middle;
    right.to = leaf.to;
    right.depth = leaf.depth + 1;
    right.parent = node;
    right.totals = leaf.totals.minus(split.left());
    leaf.to = middle;
    leaf.depth++;
    leaf.parent = node;
    leaf.totals = split.left();
    leaf.best = Split.NONE;
    return right;
  }

  private int partition(Leaf leaf, Split split) {
    boolean[] goesLeft = leftBins(split);
    BinColumn column = binned.column(split.column());
    int left = leaf.from;
    int moved = 0;
    for (int k = leaf.from; k < leaf.to; k++) {
      int row = rows[k];
      if (goesLeft[column.bin(row)]) {
        rows[left++] = row;
      } else {
        scratch[moved++] = row;
      }
    }
    System.arraycopy(scratch, 0, rows, left, moved);
    return left;
  }

  private boolean[] leftBins(Split split) {
    int bins = binned.bins(split.column());
    boolean[] goesLeft = new boolean[bins + 1];
    for (int bin = 0; bin < bins; bin++) {
      goesLeft[bin] =
          split.categorical()
              ? Split.holds(split.categories(), binned.category(split.column(), bin))
              : bin <= split.lastLeftBin();
    }
    goesLeft[bins] = split.missingLeft();
    return goesLeft;
  }

  private void searchChildren(Leaf left, Leaf right, double[] gradients, double[] hessians) {
    Leaf smaller = left.size() <= right.size() ? left : right;
    Leaf larger = smaller == left ? right : left;
    Histogram parent = left.histogram;
    left.histogram = null;
    boolean searchLarger = splittable(larger);
    boolean searchSmaller = splittable(smaller);
    if (parent == null) {
      throw new IllegalStateException("a leaf was split without a histogram");
    }
    if (!searchLarger && !searchSmaller) {
      free.push(parent);
      return;
    }
    smaller.histogram = histogramOf(smaller, gradients, hessians);
    if (searchLarger) {
      parent.subtract(smaller.histogram);
      larger.histogram = parent;
      larger.best = search.best(parent, larger.totals);
    } else {
      free.push(parent);
    }
    if (searchSmaller) {
      smaller.best = search.best(smaller.histogram, smaller.totals);
    }
    releaseIfDone(smaller);
    releaseIfDone(larger);
  }

  private boolean splittable(Leaf leaf) {
    return leaf.depth < limits.maxDepth() && leaf.size() / 2 >= limits.minRows();
  }

  private Histogram histogramOf(Leaf leaf, double[] gradients, double[] hessians) {
    for (int k = leaf.from; k < leaf.to; k++) {
      pairs[2 * k] = gradients[rows[k]];
      pairs[2 * k + 1] = hessians[rows[k]];
    }
    Histogram histogram = free.isEmpty() ? new Histogram(binned.cells()) : free.pop();
    histogram.fill(binned, rows, leaf.from, leaf.to, pairs);
    return histogram;
  }

  private void releaseIfDone(Leaf leaf) {
    if (!leaf.best.exists()) {
      release(leaf);
    }
  }

  private void release(Leaf leaf) {
    if (leaf.histogram != null) {
      free.push(leaf.histogram);
      leaf.histogram = null;
    }
  }
}
