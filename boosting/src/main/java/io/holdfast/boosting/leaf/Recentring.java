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

/**
 * Moves the constants of a model's base to where the anchor loss of some rows is least, and leaves
 * the slopes of a linear base and all trees as they are. Stateless.
 */
public final class Recentring {
  /*
   * A tree of one leaf that holds a value for each raw score, solved as the leaves of any other: so
   * the loss never rises, whatever the objective is. The ridge of each step counts as one row does;
   * it settles what softmax leaves open, and steps are repeated until they are small.
   */
  private static final LeafSettings STEP = new LeafSettings(1, 0, 1);
  private static final int STEPS = 5;
  private static final double SMALL = 1e-6;

  private Recentring() {}

  /**
   * The model with its constants moved.
   *
   * @param anchor of the rows
   * @param gamma anchor strength; 1 is the plain loss
   */
  public static Model of(Model model, Rows rows, Projection anchor, double gamma) {
    Base base = model.base();
    int outputs = base.outputs();
    var objective = new AnchorObjective(model.objective(), rows, anchor, gamma);
    var solver = new LeafSolver(objective, Scorer.scoresOf(model, rows), STEP, Safeguard.ON);
    var layout =
        new LeafLayout(
            List.of(new LeafLayout.Leaves(new int[rows.size()], 0, outputs, LeafBounds.none(1))));
    double[] constants = new double[outputs];
    Arrays.setAll(constants, base::intercept);
    for (int step = 0; step < STEPS; step++) {
      double[] moves = solver.step(layout);
      solver.advance(layout, moves);
      double largest = 0;
      for (int k = 0; k < outputs; k++) {
        constants[k] += moves[k];
        largest = Math.max(largest, Math.abs(moves[k]));
      }
      if (largest <= SMALL) {
        break;
      }
    }
    for (double constant : constants) {
      if (!Double.isFinite(constant)) {
        return model;
      }
    }
    return new Model(
        model.objective(),
        model.features(),
        Base.linear(constants, base.terms()),
        model.segments());
  }
}
