package io.holdfast.service.prediction;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.service.request.AskedVersions.Asked;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.List;

/**
 * What changes of a record do to its score.
 *
 * @param prediction of the record as it is
 * @param changed of each change, in their order
 */
@Serdeable
public record WhatIfView(
    @JsonUnwrapped VersionUsed by, ScoreView.Prediction prediction, List<Changed> changed) {

  /** A changed record's score, and how much further its prediction and raw scores are. */
  @Serdeable
  public record Changed(
      ScoreView.Prediction prediction, double difference, List<Double> rawDifferences) {

    static Changed of(ScoreView.Prediction before, ScoreView.Prediction after) {
      List<Double> raw = new ArrayList<>();
      for (int k = 0; k < after.rawScores().size(); k++) {
        raw.add(after.rawScores().get(k) - before.rawScores().get(k));
      }
      return new Changed(after, after.prediction() - before.prediction(), raw);
    }
  }

  static WhatIfView of(Asked asked, List<ScoreView.Prediction> predictions) {
    ScoreView.Prediction before = predictions.getFirst();
    return new WhatIfView(
        VersionUsed.of(asked),
        before,
        predictions.stream().skip(1).map(after -> Changed.of(before, after)).toList());
  }
}
