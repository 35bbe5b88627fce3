package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import java.util.Arrays;
import java.util.List;

/** Moves the intercepts of a model to the least anchor loss; slopes and trees stay. Stateless. */
public final class Recentring {
  /*
   * Solved as a tree of one leaf with a value for each raw score, so the loss never rises. The ridge
   * weighs as much as one row; it settles the shift that softmax leaves open.
   */
  private static final LeafSettings STEP = new LeafSettings(1, 0, 1);
  private static final int STEPS = 5;
  private static final double SMALL = 1e-6;

  private Recentring() {}

  /** The model with its intercepts moved, at this anchor strength; 1 is the plain loss. */
  public static Model of(Model model, Rows rows, Projection anchor, double gamma) {
    Base base = model.base();
    int outputs = base.outputs();
    var objective = new AnchorObjective(model.objective(), rows, anchor, gamma);
    var solver = new LeafSolver(objective, Scorer.scoresOf(model, rows), STEP, Safeguard.ON);
    var leaf = new LeafLayout.Leaves(new int[rows.size()], 0, outputs, LeafBounds.none(1));
    var layout = new LeafLayout(List.of(leaf));
    double[] constants = new double[outputs];
    Arrays.setAll(constants, base::intercept);
    for (int step = 0; step < STEPS; step++) {
      double[] moves = solver.step(layout);
      solver.advance(layout, moves);
      Arrays.setAll(constants, k -> constants[k] + moves[k]);
      if (Arrays.stream(moves).allMatch(move -> Math.abs(move) <= SMALL)) {
        break;
      }
    }
    if (!Arrays.stream(constants).allMatch(Double::isFinite)) {
      return model;
    }
    Base moved = Base.linear(constants, base.terms());
    return new Model(model.objective(), model.features(), moved, model.segments());
  }
}
