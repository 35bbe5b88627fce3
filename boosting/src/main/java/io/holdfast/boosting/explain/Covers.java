package io.holdfast.boosting.explain;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.List;

/** The weight of rows in each leaf of each tree, trees in the model's order. Stateless. */
final class Covers {
  private Covers() {}

  /** Of the rows that each tree was trained on. */
  static List<double[]> ofTraining(Model model) {
    List<double[]> covers = new ArrayList<>();
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        Check.that(
            tree.hasStatistics() || tree.leaves() == 1,
            "a model must know how many training rows reached each leaf, and tree %s of %s does"
                + " not: train it again, or give rows to explain it by",
            covers.size(),
            model.trees());
        double[] leaves = new double[tree.leaves()];
        for (int leaf = 0; tree.hasStatistics() && leaf < leaves.length; leaf++) {
          leaves[leaf] = tree.leafCover(leaf);
        }
        covers.add(leaves);
      }
    }
    return covers;
  }

  /** Of given rows. */
  static List<double[]> ofRows(Model model, Rows rows) {
    int width = model.features().size();
    Check.that(rows.size() >= 1, "there must be at least 1 row to explain by: %s", rows.size());
    Check.that(rows.width() == width, "rows must have %s features: %s", width, rows.width());
    List<Tree> trees = new ArrayList<>();
    List<double[]> covers = new ArrayList<>();
    for (Segment segment : model.segments()) {
      trees.addAll(segment.trees());
    }
    for (Tree tree : trees) {
      covers.add(new double[tree.leaves()]);
    }
    double[] features = new double[width];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      for (int tree = 0; tree < covers.size(); tree++) {
        covers.get(tree)[trees.get(tree).leafOf(features)] += rows.weight(row);
      }
    }
    return covers;
  }
}
