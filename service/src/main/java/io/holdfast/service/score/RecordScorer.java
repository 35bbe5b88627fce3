package io.holdfast.service.score;

import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.model.ActiveModel;
import org.apache.avro.Schema;

/**
 * The one way from bytes to a score: decode, then the version's trees. Serves the topology and the
 * REST interface alike. Owned by one thread, whose scratch it holds.
 */
public final class RecordScorer {
  private double[] features = new double[0];
  private double[] rawScores = new double[0];

  /**
   * The raw scores of the body {@code bytes[from, bytes.length)}, written with {@code schema}: as
   * many as the model has, in an array that the next call overwrites.
   *
   * @throws MalformedRecordException if the body cannot be decoded
   */
  public double[] score(ActiveModel model, Schema schema, byte[] bytes, int from)
      throws MalformedRecordException {
    if (features.length != model.width()) {
      features = new double[model.width()];
    }
    if (rawScores.length != model.scorer().outputs()) {
      rawScores = new double[model.scorer().outputs()];
    }
    model.decoder(schema).decode(bytes, from, features);
    model.scorer().score(features, rawScores);
    return rawScores;
  }
}
