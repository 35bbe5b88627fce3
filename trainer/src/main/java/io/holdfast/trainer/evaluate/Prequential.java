package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.List;

/**
 * How good what was served turned out to be, before anything was learned from the rows it was
 * served for. Immutable.
 *
 * @param all over all rows; the environment is empty
 * @param environments the same by environment, in order of first appearance
 */
public record Prequential(Compared all, List<Compared> environments) {

  /** The evaluation of what was served, and the loss of a constant score on the same rows. */
  public record Compared(Evaluation served, double constantLoss) {}

  /**
   * Evaluates what was served for each row, of which there is at least one.
   *
   * @param objectives of the version that served each row
   * @param served raw scores, output by output
   */
  public static Prequential of(
      List<Objective> objectives, Rows rows, double[] served, ConstantModel constant) {
    double[] constants = constant.scores(rows.size());
    List<Evaluation> ours = Evaluation.byEnvironment(objectives, rows, served);
    List<Evaluation> theirs = Evaluation.byEnvironment(constant.objective(), rows, constants);
    List<Compared> environments = new ArrayList<>();
    for (int e = 0; e < ours.size(); e++) {
      environments.add(new Compared(ours.get(e), theirs.get(e).loss()));
    }
    Compared all =
        environments.size() == 1
            ? unnamed(environments.getFirst())
            : new Compared(
                Evaluation.of(objectives, rows, served),
                Evaluation.of(constant.objective(), rows, constants).loss());
    return new Prequential(all, List.copyOf(environments));
  }

  /** Where all rows are of one environment: the same figures. */
  private static Compared unnamed(Compared only) {
    Evaluation served = only.served();
    return new Compared(
        new Evaluation("", served.rows(), served.loss(), served.metrics()), only.constantLoss());
  }
}
