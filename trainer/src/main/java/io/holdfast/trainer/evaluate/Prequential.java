package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.schemas.avro.CalibrationBin;
import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.trainer.window.LabelledRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prequential evaluation: of what was served, before anything was learned from those rows.
 *
 * @param all over all rows; the environment is empty
 * @param environments the same by environment, in order of first appearance
 */
public record Prequential(Compared all, List<Compared> environments) {

  /**
   * What was served, the loss of a constant on the same rows, what labels showed of scores, and how
   * often they were within what was promised.
   */
  public record Compared(
      Evaluation served,
      double constantLoss,
      List<CalibrationBin> calibration,
      List<LevelCoverage> coverage) {}

  /**
   * Evaluates what was served for rows, of which there is at least one.
   *
   * @param rows the same as {@code labelled}, decoded
   * @param classes the names of classes, if they have names
   */
  public static Prequential of(
      List<LabelledRow> labelled,
      Rows rows,
      VersionObjectives.ServedScores served,
      ConstantModel constant,
      List<String> classes) {
    double[] constants = constant.scores(rows.size());
    List<Evaluation> ours =
        Evaluation.byEnvironment(served.objectives(), rows, served.scores(), classes);
    List<Evaluation> theirs = Evaluation.byEnvironment(constant.objective(), rows, constants);
    CalibrationBins bins = new CalibrationBins(rows, served);
    List<List<CalibrationBin>> binned = bins.byEnvironment();
    Map<String, List<LabelledRow>> own =
        labelled.stream().collect(Collectors.groupingBy(LabelledRow::environment));
    List<Compared> environments = new ArrayList<>();
    for (int e = 0; e < ours.size(); e++) {
      List<LevelCoverage> coverage =
          KeptPromises.of(own.getOrDefault(ours.get(e).environment(), List.of()));
      environments.add(new Compared(ours.get(e), theirs.get(e).loss(), binned.get(e), coverage));
    }
    Compared all =
        environments.size() == 1
            ? unnamed(environments.getFirst())
            : new Compared(
                Evaluation.of(served.objectives(), rows, served.scores(), classes),
                Evaluation.of(constant.objective(), rows, constants).loss(),
                bins.all(),
                KeptPromises.of(labelled));
    return new Prequential(all, List.copyOf(environments));
  }

  /** The only environment's figures, as of all rows. */
  private static Compared unnamed(Compared only) {
    Evaluation served = only.served();
    return new Compared(
        new Evaluation("", served.rows(), served.loss(), served.metrics()),
        only.constantLoss(),
        only.calibration(),
        only.coverage());
  }
}
