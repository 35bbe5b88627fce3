package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.LabelledRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the version that shadows would have answered for a window's rows, and how good that is
 * beside what was served. Its scores are computed from the records' bytes, as the service computes
 * them, so they have the same bits. Stateless.
 */
public final class ShadowComparison {
  private ShadowComparison() {}

  /**
   * Compares the two.
   *
   * @param rows the window's rows, of which there is at least one
   * @param labelled the same, decoded: labels, weights and environments count
   * @param served how good what was served is
   * @return empty if the shadow cannot read the records, or answers with other scores than are
   *     served
   */
  public static Optional<Comparison> of(
      LedgerVersion shadow,
      Framing framing,
      List<LabelledRow> rows,
      Rows labelled,
      Prequential served) {
    Objective objective = shadow.model().objective();
    double[] scores;
    try {
      scores = VersionScores.of(shadow, framing, rows);
    } catch (MalformedRecordException e) {
      return Optional.empty();
    }
    Evaluation all = Evaluation.of(objective, labelled, scores);
    List<Evaluation> environments = Evaluation.byEnvironment(objective, labelled, scores);
    List<ComparedEnvironment> compared = new ArrayList<>();
    for (int e = 0; e < environments.size(); e++) {
      Evaluation one = environments.get(e);
      compared.add(
          new ComparedEnvironment(
              one.environment(),
              (long) one.rows(),
              one.loss(),
              served.environments().get(e).served().loss()));
    }
    return Optional.of(
        new Comparison(
            shadow.number(),
            null,
            (long) all.rows(),
            all.loss(),
            served.all().served().loss(),
            compared));
  }
}
