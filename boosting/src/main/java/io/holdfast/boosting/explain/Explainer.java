package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.explain.Explanation.Contribution;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.GaussLegendre;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Exact Shapley values of a model's raw scores (path-dependent TreeSHAP, docs/math.md): what each
 * feature of a row contributes. Owned by one thread: it holds the workspace of a pass.
 *
 * <p>What is not known of a row is averaged over a tree's training rows, split by split: a node
 * sends it to its children by their cover. For every raw score, {@link #expected} and the
 * contributions of all features add up to the score; a feature that no tree and no linear term
 * looks at contributes 0; a missing value contributes what its absence tells.
 *
 * <p>A term of a linear base contributes what it adds beyond what {@link #expected} has of it: by
 * the training rows, what it adds for a missing value; by given rows, its mean over these.
 *
 * <p>Cost of a row: for each tree, nodes times half the features on its longest path, times its
 * outputs. Memory: 45 bytes a node, and the longest path times half its features.
 */
public final class Explainer {
  private final Model model;
  private final Scorer scorer;
  private final List<PathTree> trees = new ArrayList<>();
  private final List<GaussLegendre> rules; // by points − 1
  private final double[] expected;
  private final double[] unknown; // what term t adds to raw score k at t · outputs + k, not knowing
  private final PathTree.Workspace workspace = new PathTree.Workspace();

  private Explainer(Model model, List<double[]> covers, double[] unknown) {
    this.model = model;
    this.unknown = unknown;
    scorer = Scorer.of(model);
    int outputs = model.base().outputs();
    expected = new double[outputs];
    for (int k = 0; k < outputs; k++) {
      expected[k] = model.base().intercept(k);
    }
    for (int k = 0; k < unknown.length; k++) {
      expected[k % outputs] += unknown[k];
    }
    int points = 0;
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        double[] covered = covers.get(trees.size());
        var laidOut = new PathTree(tree, segment.decay(), covered, model.features().size());
        laidOut.addExpected(expected);
        workspace.reserve(laidOut);
        points = Math.max(points, laidOut.points());
        trees.add(laidOut);
      }
    }
    rules = IntStream.rangeClosed(1, points).mapToObj(GaussLegendre::new).toList();
  }

  /** By the rows that the model was trained on; refuses a tree without statistics of these. */
  public static Explainer of(Model model) {
    int terms = model.base().terms().size();
    return new Explainer(
        model, Covers.ofTraining(model), new double[terms * model.base().outputs()]);
  }

  /** By given rows: for a model without statistics, or against another population. */
  public static Explainer of(Model model, Rows background) {
    return new Explainer(
        model, Covers.ofRows(model, background), Covers.ofTerms(model, background));
  }

  public Model model() {
    return model;
  }

  public int outputs() {
    return expected.length;
  }

  /** A raw score before anything is known of the row. */
  public double expected(int output) {
    return expected[output];
  }

  /**
   * Writes the contributions of a row's features: feature {@code c}'s to raw score {@code k} to
   * {@code target[k * width + c]}. Allocates nothing.
   */
  public void contributions(double[] features, double[] target) {
    int width = model.features().size();
    Check.that(features.length == width, "a row must have %s features: %s", width, features.length);
    Check.that(
        target.length >= outputs() * width,
        "there must be room for %s contributions: %s",
        outputs() * width,
        target.length);
    Arrays.fill(target, 0, outputs() * width, 0);
    List<LinearTerm> terms = model.base().terms();
    for (int term = 0; term < terms.size(); term++) {
      LinearTerm next = terms.get(term);
      for (int k = 0; k < outputs(); k++) {
        target[k * width + next.feature()] +=
            next.contribution(features, k) - unknown[term * outputs() + k];
      }
    }
    for (int tree = 0; tree < trees.size(); tree++) { // an iterator might be allocated
      PathTree next = trees.get(tree);
      next.addContributions(features, rules.get(next.points() - 1), workspace, target);
    }
  }

  /** A row's raw scores taken apart, one explanation for each. */
  public List<Explanation> explain(double[] features) {
    int width = model.features().size();
    double[] amounts = new double[outputs() * width];
    contributions(features, amounts);
    double[] scores = new double[outputs()];
    scorer.score(features, scores);
    List<Explanation> explanations = new ArrayList<>();
    for (int k = 0; k < outputs(); k++) {
      List<Contribution> contributions = new ArrayList<>();
      for (int column = 0; column < width; column++) {
        contributions.add(
            new Contribution(
                model.features().get(column).name(),
                features[column],
                amounts[k * width + column]));
      }
      explanations.add(new Explanation(k, expected[k], scores[k], contributions));
    }
    return explanations;
  }

  /** The weight of rows in each leaf of each tree, and their means of linear terms. Stateless. */
  static final class Covers {
    private Covers() {}

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

    static List<double[]> ofRows(Model model, Rows rows) {
      int width = model.features().size();
      Check.that(rows.size() >= 1, "there must be at least 1 row to explain by: %s", rows.size());
      Check.that(rows.width() == width, "rows must have %s features: %s", width, rows.width());
      List<Tree> trees =
          model.segments().stream().flatMap(segment -> segment.trees().stream()).toList();
      List<double[]> covers = trees.stream().map(tree -> new double[tree.leaves()]).toList();
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
}
