package io.holdfast.trainer.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How good what was served turned out to be, before anything was learned from the rows it was
 * served for. Immutable.
 *
 * @param all over all rows; the environment is empty
 * @param environments the same by environment, in order of first appearance
 */
record Prequential(Compared all, List<Compared> environments) {

  /** The evaluation of what was served, and the loss of a constant score on the same rows. */
  record Compared(Evaluation served, double constantLoss) {}

  /** Evaluates {@code served[i]} against row i; {@code rows} must not be empty. */
  static Prequential of(Objective objective, Rows rows, double[] served, double constant) {
    double[] constants = new double[served.length];
    Arrays.fill(constants, constant);
    List<Evaluation> ours = Evaluation.byEnvironment(objective, rows, served);
    List<Evaluation> theirs = Evaluation.byEnvironment(objective, rows, constants);
    List<Compared> environments = new ArrayList<>();
    for (int e = 0; e < ours.size(); e++) {
      environments.add(new Compared(ours.get(e), theirs.get(e).loss()));
    }
    return new Prequential(
        new Compared(
            Evaluation.of(objective, rows, served),
            Evaluation.of(objective, rows, constants).loss()),
        List.copyOf(environments));
  }
}
