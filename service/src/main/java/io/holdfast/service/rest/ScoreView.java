package io.holdfast.service.rest;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to records that were scored, all by one version and in their order. */
@Serdeable
public record ScoreView(String model, long version, String hash, List<Prediction> predictions) {

  /**
   * One record's score.
   *
   * @param prediction a mean, the probability of the label 1, or the likeliest class
   * @param label the name of the likeliest class; null where classes have no names
   * @param probabilities of the classes, in their order; empty for regression
   * @param rawScore before the link; null where there is one a class
   * @param absent the features that the record's schema lacks, which count as missing
   * @param unseen the features whose category the version has never seen, which count as missing
   * @param rounded the numeric features whose whole number is beyond 2^53 and no double
   */
  @Serdeable
  public record Prediction(
      double prediction,
      @Nullable String label,
      List<Double> probabilities,
      @Nullable Double rawScore,
      List<Double> rawScores,
      List<String> absent,
      List<String> unseen,
      List<String> rounded) {}
}
