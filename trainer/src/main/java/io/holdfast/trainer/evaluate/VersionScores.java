package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.LabelledRow;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.avro.Schema;

/**
 * What a version answers for rows: computed from the records' bytes by its own decoder, as the
 * service computes it, so it has the same bits. Stateless.
 */
final class VersionScores {
  private VersionScores() {}

  /**
   * Raw scores, output by output: of output k and row i of n at {@code k * n + i}.
   *
   * @throws MalformedRecordException if the version cannot read a row
   */
  static double[] of(LedgerVersion version, Framing framing, List<LabelledRow> rows)
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
