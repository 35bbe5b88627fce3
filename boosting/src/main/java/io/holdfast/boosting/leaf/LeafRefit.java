package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.List;

/** Learns a model's leaf values again from other rows; trees stay. Immutable; safe to share. */
public final class LeafRefit {
  /*
   * Trees are taken in order. Those of a round (consecutive trees of a segment, each for later outputs
   * than the one before) take one joint step from the scores of the refitted trees before them; a leaf
   * value becomes decay · old + (1 − decay) · step. A leaf without rows keeps its value, and so do
   * trees of segments of a decay of 0 or less. So decay 1 is the identity, and so is any decay on the
   * training rows with the training settings, unless a ridge was added.
   *
   * Values stay monotone: old values and steps are both within bounds half-way between the old values
   * on either side of a split.
   */
  private final LeafSettings settings;
  private final List<Integer> monotone;
  private final double decay;

  /**
   * A refit.
   *
   * @param settings learning rate and penalties of the steps
   * @param monotone +1, −1 or 0 by column, as the trees were grown with; empty for none
   * @param decay weight of the old values, from 0 to 1
   */
  public LeafRefit(LeafSettings settings, List<Integer> monotone, double decay) {
    Check.that(decay >= 0 && decay <= 1, "decay must be from 0 to 1: %s", decay);
    this.settings = settings;
    this.monotone = List.copyOf(monotone);
    this.decay = decay;
  }

  /** What a refit made, and how many of its steps were not the full step. */
  public record Refitted(Model model, int safeguards) {}

  /** Refits to the plain loss; else as {@link #anchored}. */
  public Refitted plain(Model model, Rows rows) {
    return anchored(model, rows, GroupMeans.ofEnvironments(rows), 1);
  }

  /**
   * Refits to the anchor loss.
   *
   * @param anchor of the rows
   * @param gamma anchor strength; 1 is {@link #plain}, bit for bit
   * @throws IllegalArgumentException in one sentence, if rows and model do not fit each other
   */
  public Refitted anchored(Model model, Rows rows, Projection anchor, double gamma) {
    check(model, rows);
    Model base = new Model(model.objective(), model.features(), model.base(), List.of());
    var objective = new AnchorObjective(model.objective(), rows, anchor, gamma);
    var solver = new LeafSolver(objective, Scorer.scoresOf(base, rows), settings, Safeguard.ON);
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : model.segments()) {
      List<Tree> trees = new ArrayList<>();
      for (List<Tree> round : rounds(segment.trees())) {
        trees.addAll(refit(round, segment.decay(), rows, solver));
      }
      segments.add(new Segment(trees, segment.decay()));
    }
    return new Refitted(
        new Model(model.objective(), model.features(), model.base(), segments),
        solver.safeguards());
  }

  private List<Tree> refit(List<Tree> round, double scale, Rows rows, LeafSolver solver) {
    LeafLayout layout =
        new LeafLayout(
            round.stream()
                .map(tree -> leaves(tree, leafOf(tree, rows), scale, settings, monotone))
                .toList());
    double[] values = values(round);
    if (decay < 1 && scale > 0) {
      double[] steps = solver.move(layout);
      for (int unknown = 0; unknown < values.length; unknown++) {
        if (layout.reached[unknown]) {
          values[unknown] = decay * values[unknown] + (1 - decay) * (steps[unknown] / scale);
        }
      }
    }
    solver.advance(layout, LeafSolver.times(values, scale));
    List<Tree> refitted = new ArrayList<>();
    double[][] byTree = layout.byTree(values);
    for (int tree = 0; tree < round.size(); tree++) {
      refitted.add(round.get(tree).withLeafValues(byTree[tree]));
    }
    return refitted;
  }

  /** The leaf values of a round, as {@link LeafLayout} orders them. */
  static double[] values(List<Tree> round) {
    int size = round.stream().mapToInt(tree -> tree.leaves() * tree.outputs()).sum();
    double[] values = new double[size];
    int at = 0;
    for (Tree tree : round) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        for (int k = 0; k < tree.outputs(); k++) {
          values[at++] = tree.leafValue(leaf, k);
        }
      }
    }
    return values;
  }

  /** The leaves of a tree of a segment of this decay, with the bounds of their steps. */
  static LeafLayout.Leaves leaves(
      Tree tree, int[] leafOf, double decay, LeafSettings settings, List<Integer> monotone) {
    LeafBounds bounds =
        decay > 0
            ? LeafBounds.ofValues(tree, monotone).times(decay / settings.learningRate())
            : LeafBounds.none(tree.leaves());
    return new LeafLayout.Leaves(leafOf, tree.output(), tree.outputs(), bounds);
  }

  static int[] leafOf(Tree tree, Rows rows) {
    int[] leafOf = new int[rows.size()];
    double[] features = new double[rows.width()];
    for (int row = 0; row < leafOf.length; row++) {
      rows.copyFeatures(row, features);
      leafOf[row] = tree.leafOf(features);
    }
    return leafOf;
  }

  /** Consecutive trees for ascending outputs. */
  static List<List<Tree>> rounds(List<Tree> trees) {
    List<List<Tree>> rounds = new ArrayList<>();
    int nextOutput = 0;
    for (Tree tree : trees) {
      if (rounds.isEmpty() || tree.output() < nextOutput) {
        rounds.add(new ArrayList<>());
      }
      rounds.getLast().add(tree);
      nextOutput = tree.output() + tree.outputs();
    }
    return rounds;
  }

  private void check(Model model, Rows rows) {
    Check.that(rows.size() >= 1, "there must be at least 1 row to refit on: %s", rows.size());
    Check.that(
        rows.width() == model.features().size(),
        "rows must have as many values as the model has features, %s: %s",
        model.features().size(),
        rows.width());
    Check.that(
        monotone.isEmpty() || monotone.size() == rows.width(),
        "there must be a monotone direction for each of %s features: %s",
        rows.width(),
        monotone.size());
    model.objective().checkLabels(rows, "");
  }
}
