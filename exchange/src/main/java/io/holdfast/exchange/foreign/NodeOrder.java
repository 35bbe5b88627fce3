package io.holdfast.exchange.foreign;

import io.holdfast.boosting.model.Tree;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The nodes of a tree that are reached from its root, each once, parents before their children.
 * Immutable.
 *
 * <p>A file may have nodes in any order, name one twice, or run in a circle: what is no tree is
 * refused in time that grows with the number of nodes.
 */
public final class NodeOrder {
  private final int[] inner; // by place, the file's number
  private final int[] leaves;
  private final int[] left; // by place of an inner node, as the engine numbers children
  private final int[] right;

  private NodeOrder(int[] inner, int[] leaves, int[] left, int[] right) {
    this.inner = inner;
    this.leaves = leaves;
    this.left = left;
    this.right = right;
  }

  /**
   * Walks a tree, which has that name in messages.
   *
   * @param nodes how many there are: their numbers are below
   */
  public static NodeOrder of(
      String tree, int nodes, IntPredicate leaf, IntUnaryOperator leftOf, IntUnaryOperator rightOf)
      throws ExchangeException {
    int[] place = new int[nodes]; // of inner nodes their place, of leaves -1 - place, as children
    boolean[] reached = new boolean[nodes];
    int[] inner = new int[nodes];
    int[] leaves = new int[nodes];
    int[] open = new int[nodes + 1];
    int innerCount = 0;
    int leafCount = 0;
    int depth = 0;
    open[depth++] = 0;
    while (depth > 0) {
      int node = open[--depth];
      if (node < 0 || node >= nodes) {
        throw ExchangeException.of(
            "%s has a node %d, and its nodes are 0 to %d", tree, node, nodes - 1);
      }
      ExchangeException.require(
          !reached[node], "%s is no tree: its node %d has two parents or is its own", tree, node);
      reached[node] = true;
      if (leaf.test(node)) {
        leaves[leafCount] = node;
        place[node] = -1 - leafCount++;
      } else {
        inner[innerCount] = node;
        place[node] = innerCount++;
        ExchangeException.require(
            depth + 2 <= open.length, "%s is no tree: its nodes run in a circle", tree);
        open[depth++] = rightOf.applyAsInt(node);
        open[depth++] = leftOf.applyAsInt(node);
      }
    }
    if (leafCount > Tree.MAX_LEAVES) {
      throw ExchangeException.of(
          "%s has %d leaves, and a tree has at most %d", tree, leafCount, Tree.MAX_LEAVES);
    }
    int[] left = new int[innerCount];
    int[] right = new int[innerCount];
    for (int k = 0; k < innerCount; k++) {
      left[k] = place[leftOf.applyAsInt(inner[k])];
      right[k] = place[rightOf.applyAsInt(inner[k])];
    }
    return new NodeOrder(
        Arrays.copyOf(inner, innerCount), Arrays.copyOf(leaves, leafCount), left, right);
  }

  public int innerNodes() {
    return inner.length;
  }

  public int leaves() {
    return leaves.length;
  }

  /** The number that the file has for the inner node at a place. */
  public int inner(int place) {
    return inner[place];
  }

  /** The number that the file has for the leaf at a place. */
  public int leaf(int place) {
    return leaves[place];
  }

  /** The left children by place, as {@link Tree} numbers them. */
  int[] left() {
    return left;
  }

  int[] right() {
    return right;
  }
}
