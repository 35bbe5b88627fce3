package io.holdfast.boosting.ada;

import io.holdfast.boosting.ada.Learner.Structure;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Tree;
import java.util.Arrays;

/**
 * A tree whose leaves vote for a class each. Immutable.
 *
 * @param classOfLeaf what each leaf votes for: the heaviest class of the rows it was grown on
 * @param gini the Gini impurity left in the leaves, by the weights of those rows
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and only this package sees it
record VotingTree(Structure structure, int[] classOfLeaf, double gini) {

  static VotingTree of(Structure structure, double[] masses, int[] labels, int classes) {
    var leaves = new ClassMasses(structure.leaves(), classes);
    for (int row = 0; row < labels.length; row++) {
      leaves.add(structure.leafOf()[row], labels[row], masses[row]);
    }
    int[] classOfLeaf = new int[structure.leaves()];
    Arrays.setAll(classOfLeaf, leaves::heaviest);
    return new VotingTree(structure, classOfLeaf, leaves.gini());
  }

  /** Whether each row's leaf votes for another class than the row's. */
  boolean[] wrong(int[] labels) {
    boolean[] wrong = new boolean[labels.length];
    for (int row = 0; row < labels.length; row++) {
      wrong[row] = classOfLeaf[structure.leafOf()[row]] != labels[row];
    }
    return wrong;
  }

  /** The tree: ±vote/2 for one raw score, or the vote for the leaf's class and 0 for the others. */
  Tree toTree(double vote, int outputs, Rows rows) {
    double[] values = new double[classOfLeaf.length * outputs];
    for (int leaf = 0; leaf < classOfLeaf.length; leaf++) {
      if (outputs == 1) {
        values[leaf] = classOfLeaf[leaf] == 1 ? 0.5 * vote : -0.5 * vote;
      } else {
        values[leaf * outputs + classOfLeaf[leaf]] = vote;
      }
    }
    double[] covers = new double[classOfLeaf.length];
    for (int row = 0; row < rows.size(); row++) {
      covers[structure.leafOf()[row]] += rows.weight(row);
    }
    return structure.maker().of(values, outputs, covers);
  }

  /**
   * α, what a tree's vote counts (docs/math.md, "AdaBoost"): log((1 − error)/error) + log(classes −
   * 1), for an error above 0 and below 1.
   */
  static double vote(double error, int classes) {
    double odds = StrictMath.log1p(-error) - StrictMath.log(error);
    return classes == 2 ? odds : odds + StrictMath.log(classes - 1);
  }

  /**
   * The vote of a tree without error: as if half a row more had been there, of weight ½, and been
   * wrong. The error is then ½ of totalWeight + 1.
   *
   * @param totalWeight the rows' own weights, which count as rows
   */
  static double faultlessVote(double totalWeight, int classes) {
    return vote(0.5 / (totalWeight + 1), classes);
  }

  /** Whether a tree of that error is no better than guessing a class, but for rounding. */
  static boolean worthless(double error, int classes) {
    return !(error < 1 - 1.0 / classes - 1e-10);
  }
}
