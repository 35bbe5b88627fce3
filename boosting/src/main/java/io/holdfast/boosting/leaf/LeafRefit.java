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
import java.util.Arrays;
import java.util.List;

/**
 * Keeps a model's trees and learns their leaf values again from other rows. Immutable; safe to
 * share.
 */
public final class LeafRefit {
  /*
   * Trees are taken in order, from the model's base on. Those of a round (consecutive trees of a
   * segment, each for later outputs than the one before) take one joint step on the new rows, as in
   * training, from the scores of the refitted trees before them; a leaf's value becomes decay · old
   * + (1 − decay) · step. A leaf that no row reaches keeps its value, and so do trees of segments
   * that do not count upwards (decay 0 or less).
   *
   * Consequences: decay 1 is the identity; on the rows that a model without a ridge in its way was
   * trained on, with its settings, any decay is.
   *
   * Values stay monotone: each tree gives bounds to its leaves, half-way between the old values on
   * either side of a split. Old values are within them, and so are all mixtures.
   */
  private final LeafSettings settings;
  private final List<Integer> monotone;
  private final double decay;

  /**
   * A refit.
   *
   * @param settings learning rate and penalties of the steps
   * @param monotone +1, −1 or 0 by column, as the trees were grown with; empty for none
   * @param decay how much of the old values stays, from 0 to 1
   */
  public LeafRefit(LeafSettings settings, List<Integer> monotone, double decay) {
    Check.that(decay >= 0 && decay <= 1, "decay must be from 0 to 1: %s", decay);
    this.settings = settings;
    this.monotone = List.copyOf(monotone);
    this.decay = decay;
  }

  /**
   * What a refit made.
   *
   * @param model of the same trees and the same base
   * @param safeguards how often something else than the full step was taken
   */
  public record Refitted(Model model, int safeguards) {}

  /**
   * As published for gradient boosting: the steps are of the plain loss, whatever the model was
   * trained with.
   *
   * @throws IllegalArgumentException in one sentence, if rows and model do not fit each other
   */
  public Refitted plain(Model model, Rows rows) {
    return anchored(model, rows, GroupMeans.ofEnvironments(rows), 1);
  }

  /**
   * With the anchor's penalty in every step: the model stays protected as it was trained to be.
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
    LeafLayout layout = layout(round, scale, rows);
    double[] values = new double[layout.size]; // old ones, then the new
    int at = 0;
    for (Tree tree : round) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        for (int k = 0; k < tree.outputs(); k++) {
          values[at++] = tree.leafValue(leaf, k);
        }
      }
    }
    if (decay < 1 && scale > 0) {
      double[] steps = solver.move(layout);
      for (int unknown = 0; unknown < values.length; unknown++) {
        if (layout.reached[unknown]) {
          values[unknown] = decay * values[unknown] + (1 - decay) * (steps[unknown] / scale);
        }
      }
    }
    double[] moves = new double[values.length];
    Arrays.setAll(moves, unknown -> scale * values[unknown]);
    solver.advance(layout, moves);
    List<Tree> refitted = new ArrayList<>();
    double[][] byTree = layout.byTree(values);
    for (int tree = 0; tree < round.size(); tree++) {
      refitted.add(round.get(tree).withLeafValues(byTree[tree]));
    }
    return refitted;
  }

  private LeafLayout layout(List<Tree> round, double scale, Rows rows) {
    List<LeafLayout.Leaves> leaves = new ArrayList<>();
    double[] features = new double[rows.width()];
    for (Tree tree : round) {
      int[] leafOf = new int[rows.size()];
      for (int row = 0; row < leafOf.length; row++) {
        rows.copyFeatures(row, features);
        leafOf[row] = tree.leafOf(features);
      }
      LeafBounds bounds =
          scale > 0
              ? LeafBounds.ofValues(tree, monotone).times(scale / settings.learningRate())
              : LeafBounds.none(tree.leaves());
      leaves.add(new LeafLayout.Leaves(leafOf, tree.output(), tree.outputs(), bounds));
    }
    return new LeafLayout(leaves);
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
    for (int row = 0; row < rows.size(); row++) {
      Check.that(
          model.objective().accepts(rows.label(row)),
          "labels must be %s for %s: row %s has %s",
          model.objective().labelRule(),
          model.objective().name(),
          row,
          rows.label(row));
    }
  }
}
