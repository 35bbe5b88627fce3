package io.holdfast.service.score;

import static java.util.Objects.requireNonNull;

import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.wire.BodyReader;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.FeatureTally;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Decodes many records and scores them together. Owned by one thread, whose scratch it holds. */
final class RecordBlock {
  private final BodyReader reader = new BodyReader();
  private double[] features = new double[0];
  private double[] rows = new double[0];
  private double[] rawScores = new double[0];
  private double[] spreads = new double[0];
  private @Nullable ActiveModel bounded;
  private @Nullable RowBounds bounds;
  private long[] offsets = new long[0];
  private byte[] @Nullable [] values = new byte[0][];
  private Framing.@Nullable Frame[] frames = new Framing.@Nullable Frame[0];
  private final FeatureTally tally = new FeatureTally();
  private int clipped;

  /**
   * Keeps the scores of all records that can be decoded, and says how many they are; the others are
   * left to whoever says what is wrong with them.
   */
  int score(
      ActiveModel model,
      RecordFraming framing,
      List<ConsumerRecord<byte[], byte[]>> records,
      PolledScores kept) {
    int width = model.width();
    int outputs = model.scorer().outputs();
    require(records.size(), width, outputs);
    int count = 0;
    clipped = 0;
    Schema schema = null;
    FeatureDecoder decoder = null;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      byte @Nullable [] value = record.value();
      if (value == null) {
        continue;
      }
      Framing.Frame frame;
      try {
        frame = framing.open(value, record.headers());
        if (decoder == null || !frame.schema().equals(schema)) {
          schema = frame.schema();
          decoder = model.decoder(schema);
        }
        model.checkPresent(decoder, frame.schema());
        decoder.decode(frame.bytes(value), frame.bodyOffset(), features, reader);
      } catch (MalformedRecordException e) {
        continue; // its processor meets the same error, and makes it a dead letter
      }
      clipped += model.clipped(features);
      tally.add(model, decoder, features, reader);
      System.arraycopy(features, 0, rows, count * width, width);
      offsets[count] = record.offset();
      frames[count] = frame;
      values[count++] = value;
    }
    tally.tell();
    model.scorer().scores(rows, count, rawScores);
    if (model != bounded) {
      bounded = model;
      bounds = model.bounds();
    }
    if (bounds != null) {
      bounds.spreads(rows, count, rawScores, spreads);
    }
    PolledScores.Block scored = new PolledScores.Block(model, rawScores, spreads, count);
    for (int row = 0; row < count; row++) {
      Framing.Frame frame = requireNonNull(frames[row]);
      kept.add(offsets[row], requireNonNull(values[row]), frame, scored, row);
    }
    Arrays.fill(values, 0, count, null); // not held longer than they are waited for
    Arrays.fill(frames, 0, count, null);
    return count;
  }

  /** How many values of the records scored last are beyond what their version learned from. */
  int clipped() {
    return clipped;
  }

  private void require(int records, int width, int outputs) {
    if (features.length != width) {
      features = new double[width];
    }
    if (offsets.length < records) {
      offsets = new long[records];
      spreads = new double[records];
      values = new byte[records][];
      frames = new Framing.@Nullable Frame[records];
    }
    if (rows.length < records * width) {
      rows = new double[records * width];
    }
    if (rawScores.length < records * outputs) {
      rawScores = new double[records * outputs];
    }
  }
}
