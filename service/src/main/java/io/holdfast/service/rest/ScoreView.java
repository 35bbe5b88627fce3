package io.holdfast.service.rest;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/**
 * The answer to records that were scored, all by one version.
 *
 * @param hash the version's manifest hash
 * @param predictions one a record, in their order
 */
@Serdeable
public record ScoreView(String model, long version, String hash, List<Prediction> predictions) {

  /**
   * One record's score.
   *
   * @param prediction a mean, or the probability of the label 1
   * @param probabilities of the labels 0 and 1; empty for regression
   * @param rawScore before the link
   */
  @Serdeable
  public record Prediction(double prediction, List<Double> probabilities, double rawScore) {}
}
