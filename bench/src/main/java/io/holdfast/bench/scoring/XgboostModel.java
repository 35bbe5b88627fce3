package io.holdfast.bench.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A model in XGBoost's JSON format, so that both score the same ensemble as far as floats can tell
 * its thresholds and values. Stateless.
 */
final class XgboostModel {
  private static final int NO_PARENT = Integer.MAX_VALUE;

  private XgboostModel() {}

  /** The text of a model of numeric features and one output. */
  static String json(Model model) {
    int width = model.features().size();
    var text = new StringBuilder();
    int trees = 0;
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        text.append(trees == 0 ? "" : ",").append(tree(tree, trees++, segment.decay(), width));
      }
    }
    return String.format(
        Locale.ROOT,
        """
    {"learner":{"attributes":{},"feature_names":[],"feature_types":[],
    "gradient_booster":{"model":{
    "gbtree_model_param":{"num_parallel_tree":"1","num_trees":"%d"},
    "iteration_indptr":[%s],"tree_info":[%s],"trees":[%s]},"name":"gbtree"},
    "learner_model_param":{"base_score":"%s","boost_from_average":"0","num_class":"0",
    "num_feature":"%d","num_target":"1"},
    "objective":{"name":"reg:squarederror","reg_loss_param":{"scale_pos_weight":"1"}}},
    "version":[2,1,4]}
    """,
        trees,
        list(trees + 1, k -> "" + k),
        list(trees, _ -> "0"),
        text,
        Float.toString((float) model.base().intercept(0)),
        width);
  }

  /** Nodes in order of their depth, leaves among them. */
  private static String tree(Tree tree, int number, double decay, int width) {
    int size = tree.innerNodes() + tree.leaves();
    int[] source = new int[size]; // an inner node, or −1 − leaf
    int[] left = new int[size];
    int[] right = new int[size];
    int[] parent = new int[size];
    String[] condition = new String[size];
    Arrays.fill(left, -1);
    Arrays.fill(right, -1);
    source[0] = tree.innerNodes() == 0 ? -1 : 0;
    parent[0] = NO_PARENT;
    int used = 1;
    for (int node = 0; node < size; node++) {
      int from = source[node];
      if (from < 0) {
        condition[node] = Float.toString((float) (decay * tree.leafValue(-1 - from)));
        continue;
      }
      condition[node] = Float.toString(firstAbove(tree.threshold(from)));
      left[node] = used;
      right[node] = used + 1;
      parent[used] = node;
      parent[used + 1] = node;
      source[used++] = tree.left(from);
      source[used++] = tree.right(from);
    }
    String zeros = list(size, _ -> "0.0");
    return String.format(
        Locale.ROOT,
        """
    {"id":%d,"base_weights":[%s],"loss_changes":[%s],"sum_hessian":[%s],"split_type":[%s],
    "categories":[],"categories_nodes":[],"categories_segments":[],"categories_sizes":[],
    "default_left":[%s],"left_children":[%s],"right_children":[%s],"parents":[%s],
    "split_conditions":[%s],"split_indices":[%s],
    "tree_param":{"num_deleted":"0","num_feature":"%d","num_nodes":"%d","size_leaf_vector":"1"}}
    """,
        number,
        zeros,
        zeros,
        zeros,
        list(size, _ -> "0"),
        list(size, k -> source[k] >= 0 && tree.missingLeft(source[k]) ? "1" : "0"),
        list(size, k -> "" + left[k]),
        list(size, k -> "" + right[k]),
        list(size, k -> "" + parent[k]),
        list(size, k -> condition[k]),
        list(size, k -> source[k] < 0 ? "0" : "" + tree.feature(source[k])),
        width,
        size);
  }

  /** XGBoost sends left what is below its threshold, Holdfast what is not above. */
  private static float firstAbove(double threshold) {
    float nearest = (float) threshold;
    return nearest > threshold ? nearest : Math.nextUp(nearest);
  }

  private static String list(int size, IntFunction<String> entry) {
    return IntStream.range(0, size).mapToObj(entry).collect(Collectors.joining(","));
  }
}
