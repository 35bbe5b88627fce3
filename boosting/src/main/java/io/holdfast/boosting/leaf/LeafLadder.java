package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Leaf values of trees that are there, for any strength of the anchor: as training would have found
 * them, had it grown the same trees. Where the rows fall is found once for all strengths. Owned by
 * one thread.
 */
public final class LeafLadder {
  /*
   * Each strength descends on its own scores: leaf values found at another one's scores would be
   * steps from where that strength never was, and their sum no minimum of anything. So the trees and
   * the leaves that rows fall into are shared, and gradients and systems are not.
   */
  private final LeafSettings settings;
  private final List<Integer> monotone;
  private final Rows rows;
  private final Projection anchor;
  private final IdentityHashMap<Tree, int[]> leafOf = new IdentityHashMap<>();

  /**
   * For rows.
   *
   * @param settings learning rate and penalties of the steps
   * @param monotone +1, −1 or 0 by column, as the trees were grown with; empty for none
   * @param anchor of the rows
   */
  public LeafLadder(LeafSettings settings, List<Integer> monotone, Rows rows, Projection anchor) {
    Check.that(rows.size() >= 1, "there must be at least 1 row for leaf values: %s", rows.size());
    this.settings = settings;
    this.monotone = List.copyOf(monotone);
    this.rows = rows;
    this.anchor = anchor;
  }

  /**
   * A step of a climb.
   *
   * @param segment trees with their decay
   * @param kept whether their leaf values stay; else they are found again
   */
  public record Step(Segment segment, boolean kept) {}

  /**
   * The model of one strength: {@code start}'s objective and base, and the steps' trees in order.
   * Trees of segments that do not count upwards (decay 0 or less) keep their values.
   *
   * @param start its segments are not looked at
   */
  public Model climb(Model start, List<Step> steps, double gamma) {
    int kept = 0;
    List<Segment> segments = new ArrayList<>();
    while (kept < steps.size() && steps.get(kept).kept()) {
      segments.add(steps.get(kept++).segment());
    }
    Model prefix = new Model(start.objective(), start.features(), start.base(), segments);
    if (kept == steps.size()) {
      return prefix;
    }
    var objective = new AnchorObjective(start.objective(), rows, anchor, gamma, new Buffers());
    var solver = new LeafSolver(objective, Scorer.scoresOf(prefix, rows), settings, Safeguard.ON);
    for (Step step : steps.subList(kept, steps.size())) {
      segments.add(step.kept() ? passed(step.segment(), solver) : solved(step.segment(), solver));
    }
    return new Model(solver.objective(), start.features(), start.base(), segments);
  }

  private Segment passed(Segment segment, LeafSolver solver) {
    for (List<Tree> round : LeafRefit.rounds(segment.trees())) {
      solver.advance(layout(round, 1), values(round, segment.decay()));
    }
    return segment;
  }

  private Segment solved(Segment segment, LeafSolver solver) {
    double scale = segment.decay();
    if (scale <= 0) {
      return passed(segment, solver);
    }
    List<Tree> trees = new ArrayList<>();
    for (List<Tree> round : LeafRefit.rounds(segment.trees())) {
      double[][] byTree = solver.take(layout(round, scale));
      for (int tree = 0; tree < byTree.length; tree++) {
        double[] values = byTree[tree];
        if (scale != 1) {
          for (int at = 0; at < values.length; at++) {
            values[at] /= scale;
          }
        }
        trees.add(round.get(tree).withLeafValues(values));
      }
      solver.refitObjective(rows);
    }
    return new Segment(trees, scale);
  }

  private static double[] values(List<Tree> round, double scale) {
    int size = 0;
    for (Tree tree : round) {
      size += tree.leaves() * tree.outputs();
    }
    double[] values = new double[size];
    int at = 0;
    for (Tree tree : round) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        for (int k = 0; k < tree.outputs(); k++) {
          values[at++] = scale * tree.leafValue(leaf, k);
        }
      }
    }
    return values;
  }

  private LeafLayout layout(List<Tree> round, double scale) {
    List<LeafLayout.Leaves> leaves = new ArrayList<>();
    for (Tree tree : round) {
      LeafBounds bounds =
          LeafBounds.ofValues(tree, monotone).times(scale / settings.learningRate());
      int[] found = leafOf.computeIfAbsent(tree, this::leaves);
      leaves.add(new LeafLayout.Leaves(found, tree.output(), tree.outputs(), bounds));
    }
    return new LeafLayout(leaves);
  }

  private int[] leaves(Tree tree) {
    int[] leaves = new int[rows.size()];
    double[] features = new double[rows.width()];
    for (int row = 0; row < leaves.length; row++) {
      rows.copyFeatures(row, features);
      leaves[row] = tree.leafOf(features);
    }
    return leaves;
  }
}
