package io.holdfast.service.score;

import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.wire.BodyReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.FeatureTally;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The one way from bytes to a score: decode, then the version's trees. Serves the topology and the
 * REST interface alike. Allocates nothing, once it has seen the version. Owned by one thread, whose
 * scratch it holds.
 */
public final class RecordScorer {
  private final BodyReader reader = new BodyReader();
  private double[] features = new double[0];
  private double[] rawScores = new double[0];
  private final @Nullable FeatureTally tally;
  private int clipped;
  private @Nullable ActiveModel bounded;
  private @Nullable RowBounds bounds;
  private double spread;

  public RecordScorer() {
    this(null);
  }

  RecordScorer(@Nullable FeatureTally tally) {
    this.tally = tally;
  }

  /**
   * The raw scores of the body {@code bytes[from, bytes.length)}, written with {@code schema}: as
   * many as the model has, in an array that the next call overwrites.
   */
  public double[] score(ActiveModel model, Schema schema, byte[] bytes, int from)
      throws MalformedRecordException {
    if (features.length != model.width()) {
      features = new double[model.width()];
    }
    double[] target = target(model);
    FeatureDecoder decoder = model.decoder(schema);
    decoder.decode(bytes, from, features, reader);
    if (tally != null) {
      tally.add(model, decoder, features, reader);
      tally.tell();
    }
    model.checkPresent(decoder, schema);
    model.scorer().score(features, target);
    clipped = model.clipped(features);
    if (model != bounded) {
      bounded = model;
      bounds = model.bounds();
    }
    if (bounds != null) {
      spread = bounds.spread(features, target);
    }
    return target;
  }

  /** How large the last record's error is in the mean, by a version that says how sure it is. */
  public double spread() {
    return spread;
  }

  /** The features of the record that was scored last, a copy. */
  public double[] features() {
    return features.clone();
  }

  /** How many values of the last record are beyond what its version learned from. */
  int clipped() {
    return clipped;
  }

  /** The array that the next score of {@code model} is written to. */
  double[] target(ActiveModel model) {
    if (rawScores.length != model.scorer().outputs()) {
      rawScores = new double[model.scorer().outputs()];
    }
    return rawScores;
  }
}
