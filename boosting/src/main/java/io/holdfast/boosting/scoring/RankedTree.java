package io.holdfast.boosting.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.List;

/**
 * A tree whose nodes test ranks of {@link Columns}, with leaf values times their segment's decay.
 * The product is rounded before it is added to a score, as in the plain walk.
 *
 * @param values of leaf l at {@code [l * outputs, (l + 1) * outputs)}
 * @param depth tests from the root to the deepest leaf
 */
@SuppressWarnings("ArrayRecordComponent") // made and read within the package, never compared
record RankedTree(
    int[] column, int[] bound, int[] left, int[] right, double[] values, int output, int depth) {

  static RankedTree of(Tree tree, double decay, ColumnsBuilder columns) {
    int nodes = tree.innerNodes();
    int[] column = new int[nodes];
    int[] bound = new int[nodes];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    int[] above = new int[nodes]; // tests above the node
    int depth = 0;
    for (int node = 0; node < nodes; node++) {
      column[node] = columns.column(tree, node);
      bound[node] = columns.bound(tree, node);
      left[node] = tree.left(node);
      right[node] = tree.right(node);
      depth = Math.max(depth, above[node] + 1);
      for (int child : new int[] {left[node], right[node]}) {
        if (child >= 0) {
          above[child] = above[node] + 1; // children come after their parents
        }
      }
    }
    double[] values = new double[tree.leaves() * tree.outputs()];
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      for (int k = 0; k < tree.outputs(); k++) {
        values[leaf * tree.outputs() + k] = decay * tree.leafValue(leaf, k);
      }
    }
    return new RankedTree(column, bound, left, right, values, tree.output(), depth);
  }

  /** The model's trees, in the order that they add to the score. */
  static List<RankedTree> all(Model model, ColumnsBuilder columns) {
    List<RankedTree> trees = new ArrayList<>();
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        trees.add(of(tree, segment.decay(), columns));
      }
    }
    return trees;
  }

  int innerNodes() {
    return column.length;
  }

  int leaves() {
    return column.length + 1;
  }

  int outputs() {
    return values.length / leaves();
  }
}
