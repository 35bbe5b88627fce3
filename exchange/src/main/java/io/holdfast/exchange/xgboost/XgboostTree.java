package io.holdfast.exchange.xgboost;

import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.NodeOrder;
import java.util.Arrays;

/**
 * A tree as XGBoost's documents have it: one entry of arrays a node, leaves among them. Immutable.
 */
final class XgboostTree {
  /*
   * A leaf has no left child, and its value among the split conditions. The categories that go RIGHT
   * at node categories_nodes[k] are categories_sizes[k] of the categories from categories_segments[k]
   * on. Nodes that pruning took away are there still, but not reached from the root.
   */
  private static final int NONE = -1;
  private static final int[] NUMERIC = {};

  private final String name;
  private final int[] left;
  private final int[] right;
  private final int[] feature;
  private final double[] condition;
  private final double[] defaultLeft;
  private final int[][] categories; // of each node; NUMERIC of one that tests a number
  private final double[] gains;
  private final double[] covers;
  private final NodeOrder order;

  XgboostTree(String name, Document tree) throws ExchangeException {
    this.name = name;
    Document parameters = tree.field("tree_param");
    Document vector = parameters.find("size_leaf_vector");
    ExchangeException.require(
        vector == null || vector.number() <= 1,
        "%s has leaves of several targets, and a model here has one: train one for each target",
        name);
    left = tree.field("left_children").integers();
    int nodes = left.length;
    right = tree.field("right_children").integers();
    checkCount(right.length, nodes);
    condition = numbers(tree, "split_conditions", nodes);
    defaultLeft = numbers(tree, "default_left", nodes);
    feature = new int[nodes];
    double[] indices = numbers(tree, "split_indices", nodes);
    Arrays.setAll(feature, node -> (int) indices[node]); // of nodes pruned away, anything
    gains = numbers(tree, "loss_changes", nodes);
    covers = numbers(tree, "sum_hessian", nodes);
    categories = categories(tree, nodes);
    order =
        NodeOrder.of(
            name, nodes, node -> left[node] == NONE, node -> left[node], node -> right[node]);
  }

  private double[] numbers(Document tree, String key, int nodes) throws ExchangeException {
    double[] numbers = tree.field(key).numbers();
    checkCount(numbers.length, nodes);
    return numbers;
  }

  private void checkCount(int found, int nodes) throws ExchangeException {
    ExchangeException.require(
        found == nodes, "%s has %d nodes, and a list of %d for them", name, nodes, found);
  }

  private int[][] categories(Document tree, int nodes) throws ExchangeException {
    int[][] byNode = new int[nodes][];
    Arrays.fill(byNode, NUMERIC);
    Document of = tree.find("categories_nodes");
    int[] categorical = of == null ? NUMERIC : of.integers();
    if (categorical.length == 0) {
      return byNode;
    }
    int[] all = tree.field("categories").integers();
    int[] segments = tree.field("categories_segments").integers();
    int[] sizes = tree.field("categories_sizes").integers();
    checkCount(segments.length, categorical.length);
    checkCount(sizes.length, categorical.length);
    for (int k = 0; k < categorical.length; k++) {
      int node = categorical[k];
      if (node < 0
          || node >= nodes
          || sizes[k] <= 0
          || segments[k] < 0
          || segments[k] > all.length - sizes[k]) {
        throw ExchangeException.of("%s names categories that it has not, of node %d", name, node);
      }
      byNode[node] = Arrays.copyOfRange(all, segments[k], segments[k] + sizes[k]);
    }
    return byNode;
  }

  String name() {
    return name;
  }

  NodeOrder order() {
    return order;
  }

  int feature(int node) {
    return feature[node];
  }

  boolean categorical(int node) {
    return categories[node].length > 0;
  }

  /** The categories that go right. */
  int[] categories(int node) {
    return categories[node];
  }

  boolean defaultLeft(int node) {
    return defaultLeft[node] != 0;
  }

  /** What is below goes left, in floats. */
  float condition(int node) {
    return (float) condition[node];
  }

  double leafValue(int node) {
    return (float) condition[node];
  }

  double gain(int node) {
    return gains[node];
  }

  double cover(int node) {
    return covers[node];
  }
}
