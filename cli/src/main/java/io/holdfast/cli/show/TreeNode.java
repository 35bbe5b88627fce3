package io.holdfast.cli.show;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Tree;
import io.holdfast.cli.report.Page;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A split, where rows that fit the condition go to {@code yes}, or a leaf with its values. */
@JsonInclude(Include.NON_NULL)
record TreeNode(
    @Nullable String condition,
    @Nullable Boolean missingFits,
    @Nullable Double gain,
    @Nullable TreeNode yes,
    @Nullable TreeNode no,
    @Nullable List<Double> values,
    @Nullable Double weight) {
  private static final int CATEGORIES_SHOWN = 6;

  static TreeNode of(Tree tree, List<Feature> features) {
    return of(tree, features, tree.innerNodes() == 0 ? -1 : 0);
  }

  private static TreeNode of(Tree tree, List<Feature> features, int node) {
    boolean known = tree.hasStatistics();
    if (node < 0) {
      int leaf = -1 - node;
      List<Double> values = new ArrayList<>();
      for (int k = 0; k < tree.outputs(); k++) {
        values.add(tree.leafValue(leaf, k));
      }
      Double weight = known ? (double) tree.leafCover(leaf) : null;
      return new TreeNode(null, null, null, null, null, values, weight);
    }
    return new TreeNode(
        condition(tree, features.get(tree.feature(node)), node),
        tree.missingLeft(node),
        known ? (double) tree.gain(node) : null,
        of(tree, features, tree.left(node)),
        of(tree, features, tree.right(node)),
        null,
        null);
  }

  private static String condition(Tree tree, Feature feature, int node) {
    String name = ColumnName.of(feature.name());
    return switch (feature) {
      case Feature.Numeric _ -> name + " ≤ " + Page.number(tree.threshold(node));
      case Feature.Categorical categorical -> {
        List<String> left = new ArrayList<>();
        for (int code = 0; code < categorical.categories().size(); code++) {
          if (tree.goesLeft(node, code)) {
            left.add(categorical.categories().get(code));
          }
        }
        int shown = Math.min(left.size(), CATEGORIES_SHOWN);
        String more = left.size() > shown ? " and " + (left.size() - shown) + " more" : "";
        yield name + " is " + String.join(", ", left.subList(0, shown)) + more;
      }
    };
  }

  /** A line a node, indented by depth. */
  void lines(String indent, String before, List<String> target) {
    target.add(indent + before + said());
    if (yes != null && no != null) {
      yes.lines(indent + "  ", "yes: ", target);
      no.lines(indent + "  ", "no: ", target);
    }
  }

  /** Lists in lists. */
  String html(String before) {
    String own = "<li>" + before + Page.text(said());
    return yes == null || no == null
        ? own
        : own
            + "<ul>"
            + yes.html("<b class=good>yes</b> ")
            + no.html("<b class=bad>no</b> ")
            + "</ul>";
  }

  private String said() {
    if (values == null) {
      return condition
          + (Boolean.TRUE.equals(missingFits) ? " or missing" : "")
          + (gain == null ? "" : ", gain " + Page.number(gain));
    }
    List<String> numbers = values.stream().map(Page::number).toList();
    return "adds "
        + String.join(", ", numbers)
        + (weight == null ? "" : " (weight " + Page.number(weight) + ")");
  }
}
