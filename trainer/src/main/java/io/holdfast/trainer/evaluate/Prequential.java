package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import java.util.ArrayList;
import java.util.List;

/**
 * Prequential evaluation: of what was served, before anything was learned from those rows.
 *
 * @param all over all rows; the environment is empty
 * @param environments the same by environment, in order of first appearance
 */
public record Prequential(Compared all, List<Compared> environments) {

  /** What was served, and the loss of a constant on the same rows. */
  public record Compared(Evaluation served, double constantLoss) {}

  /**
   * Evaluates what was served for rows, of which there is at least one; {@code classes} are the
   * names of classes, if they have names.
   */
  public static Prequential of(
      Rows rows,
      VersionObjectives.ServedScores served,
      ConstantModel constant,
      List<String> classes) {
    double[] constants = constant.scores(rows.size());
    List<Evaluation> ours =
        Evaluation.byEnvironment(served.objectives(), rows, served.scores(), classes);
    List<Evaluation> theirs = Evaluation.byEnvironment(constant.objective(), rows, constants);
    List<Compared> environments = new ArrayList<>();
    for (int e = 0; e < ours.size(); e++) {
      environments.add(new Compared(ours.get(e), theirs.get(e).loss()));
    }
    Compared all =
        environments.size() == 1
            ? unnamed(environments.getFirst())
            : new Compared(
                Evaluation.of(served.objectives(), rows, served.scores(), classes),
                Evaluation.of(constant.objective(), rows, constants).loss());
    return new Prequential(all, List.copyOf(environments));
  }

  /** The only environment's figures, as of all rows. */
  private static Compared unnamed(Compared only) {
    Evaluation served = only.served();
    return new Compared(
        new Evaluation("", served.rows(), served.loss(), served.metrics()), only.constantLoss());
  }
}
