package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.LabelledRow;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Mean loss of a version on some rows, in all and by environment. Scores are computed from the
 * records' bytes by the version's own decoder, as in the service, so they have the same bits.
 */
public record VersionLosses(double mean, List<Evaluation> environments) {
  /**
   * Of a version.
   *
   * @param labelled the same rows, decoded: labels, weights and environments count
   * @throws MalformedRecordException if the version cannot read a row
   */
  static VersionLosses of(
      LedgerVersion version, Framing framing, List<LabelledRow> rows, Rows labelled)
      throws MalformedRecordException {
    double[] scores = scores(version, framing, rows);
    Objective objective = version.objective();
    return new VersionLosses(
        Evaluation.of(objective, labelled, scores).loss(),
        Evaluation.byEnvironment(objective, labelled, scores));
  }

  /**
   * Compares the version that shadows with what was served; empty if it cannot read the records.
   *
   * @param rows the window's rows, at least one
   * @param labelled the same rows, decoded
   */
  public static Optional<Comparison> shadow(
      LedgerVersion shadow,
      Framing framing,
      List<LabelledRow> rows,
      Rows labelled,
      Prequential served) {
    VersionLosses theirs =
        new VersionLosses(
            served.all().served().loss(),
            served.environments().stream().map(Prequential.Compared::served).toList());
    try {
      VersionLosses ours = of(shadow, framing, rows, labelled);
      return Optional.of(ours.against(theirs, shadow.number(), null, rows.size()));
    } catch (MalformedRecordException e) {
      return Optional.empty();
    }
  }

  /** The loss of each row. */
  public static double[] ofRows(
      LedgerVersion version, Framing framing, List<LabelledRow> rows, Rows labelled)
      throws MalformedRecordException {
    double[] scores = scores(version, framing, rows);
    Objective objective = version.objective();
    double[] one = new double[objective.outputs()];
    double[] losses = new double[rows.size()];
    for (int row = 0; row < losses.length; row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * losses.length + row];
      }
      losses[row] = objective.loss(labelled.label(row), one);
    }
    return losses;
  }

  /** These losses beside others on the same rows; {@code other} is null for what was served. */
  Comparison against(VersionLosses theirs, long version, @Nullable Long other, long rows) {
    List<ComparedEnvironment> compared = new ArrayList<>();
    for (int e = 0; e < environments.size(); e++) {
      Evaluation one = environments.get(e);
      compared.add(
          new ComparedEnvironment(
              one.environment(), (long) one.rows(), one.loss(), theirs.environments.get(e).loss()));
    }
    return new Comparison(version, other, rows, mean, theirs.mean, compared);
  }

  /** Raw scores, output by output: of output k and row i of n at {@code k * n + i}. */
  private static double[] scores(LedgerVersion version, Framing framing, List<LabelledRow> rows)
      throws MalformedRecordException {
    Scorer scorer = Scorer.of(version.model());
    IdentityHashMap<Schema, FeatureDecoder> decoders = new IdentityHashMap<>();
    double[] values = new double[version.model().features().size()];
    double[] raw = new double[scorer.outputs()];
    double[] scores = new double[Math.multiplyExact(scorer.outputs(), rows.size())];
    for (int row = 0; row < rows.size(); row++) {
      byte[] record = rows.get(row).record();
      Framing.Frame frame = framing.open(record);
      FeatureDecoder decoder = decoders.get(frame.schema());
      if (decoder == null) {
        decoder = version.decoder(frame.schema());
        decoders.put(frame.schema(), decoder);
      }
      decoder.decode(record, frame.bodyOffset(), values);
      scorer.score(values, raw);
      for (int k = 0; k < raw.length; k++) {
        scores[k * rows.size() + row] = raw[k];
      }
    }
    return scores;
  }
}
