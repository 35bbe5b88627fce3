package io.holdfast.bench.scoring;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A model in LightGBM's text format, so that both score the same ensemble. Stateless. */
final class LightGbmModel {
  private static final int DEFAULT_LEFT = 2;
  private static final int NAN_IS_MISSING = 8;

  private LightGbmModel() {}

  /** The text of a model of numeric features and one output; the base goes to the first tree. */
  static String text(Model model) {
    int width = model.features().size();
    var text = new StringBuilder("tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\n");
    text.append("label_index=0\nmax_feature_idx=").append(width - 1);
    text.append("\nobjective=regression\nfeature_names=").append(list(width, k -> "x" + k));
    text.append("\nfeature_infos=").append(list(width, _ -> "[-1e300:1e300]")).append("\n\n");
    int number = 0;
    double base = model.base().intercept(0);
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        write(text, tree, number++, segment.decay(), base);
        base = 0;
      }
    }
    return text.append("end of trees\n").toString();
  }

  private static void write(StringBuilder text, Tree tree, int number, double decay, double base) {
    int nodes = tree.innerNodes();
    text.append("Tree=").append(number).append("\nnum_leaves=").append(tree.leaves());
    text.append("\nnum_cat=0\nsplit_feature=").append(list(nodes, k -> "" + tree.feature(k)));
    text.append("\nsplit_gain=").append(list(nodes, _ -> "1"));
    text.append("\nthreshold=").append(list(nodes, k -> "" + tree.threshold(k)));
    text.append("\ndecision_type=")
        .append(list(nodes, k -> "" + (NAN_IS_MISSING | (tree.missingLeft(k) ? DEFAULT_LEFT : 0))));
    text.append("\nleft_child=").append(list(nodes, k -> "" + tree.left(k)));
    text.append("\nright_child=").append(list(nodes, k -> "" + tree.right(k)));
    text.append("\nleaf_value=")
        .append(list(tree.leaves(), k -> "" + (decay * tree.leafValue(k) + base)));
    text.append("\nis_linear=0\nshrinkage=1\n\n\n");
  }

  private static String list(int size, IntFunction<String> entry) {
    return IntStream.range(0, size).mapToObj(entry).collect(Collectors.joining(" "));
  }
}
