package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Leaf values of given trees at any anchor strength, as training at that strength would find them.
 * Owned by one thread.
 */
public final class LeafLadder {
  /*
   * Strengths share the leaf of each row; gradients and systems are their own, since each strength
   * descends from its own scores.
   */
  private final LeafSettings settings;
  private final List<Integer> monotone;
  private final Rows rows;
  private final Projection anchor;
  private final IdentityHashMap<Tree, int[]> leafOf = new IdentityHashMap<>();

  /** A ladder on these rows; {@code monotone} has +1, −1 or 0 by column, or nothing. */
  public LeafLadder(LeafSettings settings, List<Integer> monotone, Rows rows, Projection anchor) {
    Check.that(rows.size() >= 1, "there must be at least 1 row for leaf values: %s", rows.size());
    this.settings = settings;
    this.monotone = List.copyOf(monotone);
    this.rows = rows;
    this.anchor = anchor;
  }

  /** A step of a climb: its trees keep their leaf values, or find them again. */
  public record Step(Segment segment, boolean kept) {}

  /**
   * The model of one strength: {@code start}'s objective and base, and the steps' trees in order.
   * Trees of a decay of 0 or less keep their values.
   */
  public Model climb(Model start, List<Step> steps, double gamma) {
    List<Segment> segments = new ArrayList<>();
    steps.stream().takeWhile(Step::kept).forEach(step -> segments.add(step.segment()));
    int kept = segments.size();
    Model prefix = new Model(start.objective(), start.features(), start.base(), segments);
    if (kept == steps.size()) {
      return prefix;
    }
    var objective = new AnchorObjective(start.objective(), rows, anchor, gamma);
    var solver = new LeafSolver(objective, Scorer.scoresOf(prefix, rows), settings, Safeguard.ON);
    for (Step step : steps.subList(kept, steps.size())) {
      boolean solve = !step.kept() && step.segment().decay() > 0;
      segments.add(solve ? solved(step.segment(), solver) : passed(step.segment(), solver));
    }
    return new Model(solver.objective(), start.features(), start.base(), segments);
  }

  private Segment passed(Segment segment, LeafSolver solver) {
    for (List<Tree> round : LeafRefit.rounds(segment.trees())) {
      double[] values = LeafSolver.times(LeafRefit.values(round), segment.decay());
      solver.advance(layout(round, segment.decay()), values);
    }
    return segment;
  }

  private Segment solved(Segment segment, LeafSolver solver) {
    List<Tree> trees = new ArrayList<>();
    for (List<Tree> round : LeafRefit.rounds(segment.trees())) {
      double[][] byTree = solver.take(layout(round, segment.decay()));
      for (int tree = 0; tree < byTree.length; tree++) {
        double[] values = byTree[tree];
        for (int at = 0; at < values.length; at++) {
          values[at] /= segment.decay();
        }
        trees.add(round.get(tree).withLeafValues(values));
      }
      solver.refitObjective(rows);
    }
    return new Segment(trees, segment.decay());
  }

  private LeafLayout layout(List<Tree> round, double scale) {
    List<LeafLayout.Leaves> leaves = new ArrayList<>();
    for (Tree tree : round) {
      int[] known = leafOf.computeIfAbsent(tree, _ -> LeafRefit.leafOf(tree, rows));
      leaves.add(LeafRefit.leaves(tree, known, scale, settings, monotone));
    }
    return new LeafLayout(leaves);
  }
}
