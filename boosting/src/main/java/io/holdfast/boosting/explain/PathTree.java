package io.holdfast.boosting.explain;

import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.GaussLegendre;

/** One tree laid out for Shapley values by path. Immutable; the workspace is the caller's. */
final class PathTree {
  /*
   * The game of a row x: features in a coalition S are known and decide their splits, at any other
   * split both children count by their share of the training rows. A leaf's part of it is
   * v(S) = value · Π_{j in S} o_j · Π_{j not in S} z_j over the features of its path: o_j is 1 if x
   * takes all splits on j that lead to the leaf, and z_j the product of their shares.
   *
   * Shapley values are integrals of slopes of the multilinear extension (Owen 1972):
   *
   *   φ_i = value · ∫₀¹ (o_i − z_i) Π_{j ≠ i} f_j(t) dt,   f_j(t) = t · o_j + (1 − t) · z_j.
   *
   * The integrand is a polynomial of degree below the number of features on the path, so a Gauss
   * rule of half as many points is exact. Unlike sums over coalition sizes (Lundberg et al. 2018),
   * which subtract, it keeps errors at rounding on paths of hundreds of features.
   *
   * All leaves share their work, as in Linear TreeSHAP (Yu et al. 2022). Going down, products[q] is
   * the product of f_j(t_q) on the path; coming up, sums[q] adds value · products[q] of the leaves
   * below an edge. The edge's feature i gets (o_i − z_i) Σ_q sums[q] / f_i(t_q). A deeper edge on
   * the same feature replaces f_i, and takes back what the edge above gives for the leaves below. An
   * edge with o = 0 and z below NO_SHARE is skipped with all below it, so no factor is ever 0.
   *
   * Cost: O(edges · features on the longest path) a row; the workspace is by depth, not by node.
   */
  private static final double NO_SHARE = 1e-200;

  private final Tree tree;
  private final double[] values; // decay · leaf value
  // One entry an edge, in preorder: an edge leads from a node to one of its children.
  private final int[] depth; // of the child, 1 below the root
  private final int[] node;
  private final boolean[] left;
  private final int[] previous; // the next edge above on the same feature, or −1
  private final double[] share; // product of shares over this edge and those above on its feature
  private final int[] end; // the first edge not below this one
  private final int[] leaf; // that the edge leads to, or −1
  private int edges;
  private int deepest;
  private int mostFeatures;

  /**
   * Lays out a tree of a model of {@code width} features.
   *
   * @param covers weight of the rows in each leaf; below a node that no row reached, both children
   *     count one half
   */
  PathTree(Tree tree, double decay, double[] covers, int width) {
    this.tree = tree;
    values = new double[tree.leaves() * tree.outputs()];
    for (int l = 0; l < tree.leaves(); l++) {
      for (int k = 0; k < tree.outputs(); k++) {
        values[l * tree.outputs() + k] = decay * tree.leafValue(l, k);
      }
    }
    int size = 2 * tree.innerNodes();
    depth = new int[size];
    node = new int[size];
    left = new boolean[size];
    previous = new int[size];
    share = new double[size];
    end = new int[size];
    leaf = new int[size];
    layOut(nodeCovers(covers), covers, width);
  }

  /** The covers of inner nodes; children come after their parents. */
  private double[] nodeCovers(double[] covers) {
    double[] all = new double[tree.innerNodes()];
    for (int parent = all.length - 1; parent >= 0; parent--) {
      all[parent] = cover(tree.left(parent), all, covers) + cover(tree.right(parent), all, covers);
    }
    return all;
  }

  private static double cover(int child, double[] nodeCovers, double[] covers) {
    return child < 0 ? covers[-1 - child] : nodeCovers[child];
  }

  private void layOut(double[] nodeCovers, double[] covers, int width) {
    int[] latest = new int[width]; // the edge open on a feature, + 1
    int[] open = new int[tree.innerNodes() + 1]; // by depth
    int features = 0;
    int top = 0;
    int parent = tree.innerNodes() == 0 ? -1 : 0;
    boolean toLeft = true;
    while (parent >= 0) {
      int edge = edges++;
      int column = tree.feature(parent);
      int child = toLeft ? tree.left(parent) : tree.right(parent);
      node[edge] = parent;
      left[edge] = toLeft;
      depth[edge] = ++top;
      open[top] = edge;
      previous[edge] = latest[column] - 1;
      latest[column] = edge + 1;
      features += previous[edge] < 0 ? 1 : 0;
      double above = previous[edge] < 0 ? 1 : share[previous[edge]];
      double total = nodeCovers[parent];
      share[edge] = above * (total > 0 ? cover(child, nodeCovers, covers) / total : 0.5);
      leaf[edge] = child < 0 ? -1 - child : -1;
      deepest = Math.max(deepest, top);
      mostFeatures = Math.max(mostFeatures, features);
      parent = child;
      toLeft = true;
      while (parent < 0 && top > 0) { // up to the nearest edge to the left, over to its sibling
        int closed = open[top--];
        end[closed] = edges;
        latest[tree.feature(node[closed])] = previous[closed] + 1;
        features -= previous[closed] < 0 ? 1 : 0;
        if (left[closed]) {
          parent = node[closed];
          toLeft = false;
        }
      }
    }
  }

  /** Points of the quadrature that is exact for this tree. */
  int points() {
    return Math.max(1, (mostFeatures + 1) / 2);
  }

  /** Adds the tree's values, averaged by cover, to {@code expected} by raw score. */
  void addExpected(double[] expected) {
    double[] reached = new double[deepest + 1];
    reached[0] = 1;
    if (edges == 0) {
      addLeaf(0, 1, expected);
    }
    for (int edge = 0; edge < edges; edge++) {
      double above = previous[edge] < 0 ? 1 : share[previous[edge]];
      double fraction = above > 0 ? share[edge] / above : 0;
      reached[depth[edge]] = reached[depth[edge] - 1] * fraction;
      if (leaf[edge] >= 0) {
        addLeaf(leaf[edge], reached[depth[edge]], expected);
      }
    }
  }

  private void addLeaf(int number, double reached, double[] expected) {
    int outputs = tree.outputs();
    for (int k = 0; k < outputs; k++) {
      expected[tree.output() + k] += reached * values[number * outputs + k];
    }
  }

  /** What a pass of one row needs beside the tree, by depth. Owned by one thread. */
  static final class Workspace {
    private double[] products = {};
    private double[] factors = {};
    private double[] sums = {};
    private boolean[] follows = {}; // o: x takes this edge and those above on its feature
    private boolean[] goesLeft = {}; // x at the node above
    private int[] open = {};

    /** Makes room for a tree. */
    void reserve(PathTree tree) {
      int levels = tree.deepest + 1;
      long size = (long) levels * tree.points();
      long all = size * tree.tree.outputs();
      Check.that(
          all < Integer.MAX_VALUE - 8,
          "a tree must be less deep to be explained: %s levels, %s features on a path",
          levels,
          tree.mostFeatures);
      if (products.length < size) {
        products = new double[(int) size];
        factors = new double[(int) size];
      }
      if (sums.length < all) {
        sums = new double[(int) all];
      }
      if (open.length < levels) {
        open = new int[levels];
        follows = new boolean[levels];
        goesLeft = new boolean[levels];
      }
    }
  }

  /**
   * Adds the contributions of a row's features: feature {@code c}'s to raw score {@code k} at
   * {@code target[k * width + c]}. Allocates nothing; {@code rule} has {@link #points} points.
   */
  void addContributions(
      double[] features, GaussLegendre rule, Workspace workspace, double[] target) {
    int points = rule.size();
    for (int q = 0; q < points; q++) {
      workspace.products[q] = rule.weight(q);
    }
    int top = 0;
    int edge = 0;
    while (edge < edges) {
      int level = depth[edge];
      while (top >= level) {
        close(top--, points, workspace, features.length, target);
      }
      if (left[edge]) { // comes before its sibling, which asks no more
        int at = node[edge];
        workspace.goesLeft[level] = tree.goesLeft(at, features[tree.feature(at)]);
      }
      boolean follows =
          workspace.goesLeft[level] == left[edge]
              && (previous[edge] < 0 || workspace.follows[depth[previous[edge]]]);
      if (!follows && share[edge] < NO_SHARE) {
        edge = end[edge];
        continue;
      }
      workspace.open[level] = edge;
      workspace.follows[level] = follows;
      top = level;
      descend(edge, rule, workspace);
      edge++;
    }
    while (top > 0) {
      close(top--, points, workspace, features.length, target);
    }
  }

  private void descend(int edge, GaussLegendre rule, Workspace workspace) {
    int points = rule.size();
    int here = depth[edge] * points;
    int above = here - points;
    double[] products = workspace.products;
    double[] factors = workspace.factors;
    boolean follows = workspace.follows[depth[edge]];
    double z = share[edge];
    int replaced = previous[edge] < 0 ? -1 : depth[previous[edge]] * points;
    for (int q = 0; q < points; q++) {
      double factor = rule.complement(q) * z + (follows ? rule.point(q) : 0);
      double others = products[above + q];
      if (replaced >= 0) {
        others /= factors[replaced + q];
      }
      factors[here + q] = factor;
      products[here + q] = others * factor;
    }
    int outputs = tree.outputs();
    for (int k = 0; k < outputs; k++) {
      double value = leaf[edge] < 0 ? 0 : values[leaf[edge] * outputs + k];
      int sum = (depth[edge] * outputs + k) * points;
      for (int q = 0; q < points; q++) {
        workspace.sums[sum + q] = value * products[here + q];
      }
    }
  }

  /** Gives the feature of the edge open at {@code level} its due, and the edge above the sums. */
  private void close(int level, int points, Workspace workspace, int width, double[] target) {
    int edge = workspace.open[level];
    int before = previous[edge] < 0 ? 0 : depth[previous[edge]];
    double[] factors = workspace.factors;
    double[] sums = workspace.sums;
    double gap = gap(edge, workspace.follows[level]);
    double gapBefore = before == 0 ? 0 : gap(previous[edge], workspace.follows[before]);
    int outputs = tree.outputs();
    for (int k = 0; k < outputs; k++) {
      int here = (level * outputs + k) * points;
      int above = here - outputs * points;
      double given = 0;
      double takenBack = 0;
      for (int q = 0; q < points; q++) {
        double sum = sums[here + q];
        given += sum / factors[level * points + q];
        if (before > 0) {
          takenBack += sum / factors[before * points + q];
        }
        if (level > 1) {
          sums[above + q] += sum;
        }
      }
      target[(tree.output() + k) * width + tree.feature(node[edge])] +=
          gap * given - gapBefore * takenBack;
    }
  }

  /** o − z of an edge. */
  private double gap(int edge, boolean follows) {
    return (follows ? 1 : 0) - share[edge];
  }
}
