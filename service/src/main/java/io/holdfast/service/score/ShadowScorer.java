package io.holdfast.service.score;

import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.model.ActiveModel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Scores records by the version that shadows the one that serves. Owned by the stream thread of its
 * task. What goes wrong here is counted and goes no further: the record has its score already.
 */
final class ShadowScorer {
  /*
   * Scratch and encoder of its own, so that the serving version's keep what they have worked out
   * for it. Records are scored one by one: a shadow is there for a while, and not in a hurry.
   */
  private final RecordScorer scorer = new RecordScorer();
  private final ScoreEncoder encoder;
  private final UncertaintyEncoder uncertainty = new UncertaintyEncoder();
  private final Counter scored;
  private final MeterRegistry meters;
  private final String model;

  ShadowScorer(ScoringProcessor.Parts parts) {
    this.encoder =
        new ScoreEncoder(parts.written().shadowScores(), parts.settings().topics().records());
    this.meters = parts.meters();
    this.model = parts.settings().name();
    this.scored =
        Counter.builder(ScoreMeters.SHADOW_SCORED)
            .description("Records that the shadow version scored beside the one that serves")
            .tag("model", model)
            .register(meters);
    for (MalformedRecordException.Reason reason : MalformedRecordException.Reason.values()) {
      if (reason.isOfRecords()) {
        failed(reason);
      }
    }
  }

  private Counter failed(MalformedRecordException.Reason reason) {
    return Counter.builder(ScoreMeters.SHADOW_FAILED)
        .description("Records that the shadow version could not score")
        .tag("model", model)
        .tag("reason", reason.name())
        .register(meters);
  }

  /** The score of a record, or null if the shadow cannot score it. */
  byte @Nullable [] score(
      ActiveModel shadow,
      Framing.Frame frame,
      byte[] value,
      RecordMetadata source,
      byte @Nullable [] id) {
    try {
      byte[] bytes = frame.bytes(value);
      double[] raw = scorer.score(shadow, frame.schema(), bytes, frame.bodyOffset());
      uncertainty.write(shadow, raw, scorer.spread(), frame.schema(), bytes, frame.bodyOffset());
      byte[] score =
          encoder.encode(shadow, raw, source.partition(), source.offset(), id, uncertainty);
      scored.increment();
      return score;
    } catch (MalformedRecordException e) {
      failed(e.reason()).increment();
      return null;
    }
  }
}
