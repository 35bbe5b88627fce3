package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * What rows say of a model: their weight in each leaf of each tree, trees in the model's order, and
 * their means of linear terms. Stateless.
 */
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

  /** What term {@code t} adds to raw score {@code k}, on average, at {@code t * outputs + k}. */
  static double[] ofTerms(Model model, Rows rows) {
    List<LinearTerm> terms = model.base().terms();
    int outputs = model.base().outputs();
    double[] means = new double[terms.size() * outputs];
    double[] features = new double[model.features().size()];
    double weights = 0;
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      weights += rows.weight(row);
      for (int k = 0; k < means.length; k++) {
        double added = terms.get(k / outputs).contribution(features, k % outputs);
        means[k] += rows.weight(row) / weights * (added - means[k]); // sums might overflow
      }
    }
    return means;
  }
}
