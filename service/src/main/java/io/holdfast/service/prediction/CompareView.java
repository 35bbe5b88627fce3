package io.holdfast.service.prediction;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.service.request.AskedVersions.Asked;
import io.holdfast.service.request.JsonScorer.Scored;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** What versions say of one record, each with each of its gammas. */
@Serdeable
public record CompareView(String model, List<Compared> scores) {

  /** By one version and gamma. */
  @Serdeable
  public record Compared(@JsonUnwrapped VersionUsed by, ScoreView.Prediction prediction) {
    static Compared of(Asked asked, Scored scored) {
      return new Compared(VersionUsed.of(asked), ScoreView.Prediction.of(asked.active(), scored));
    }
  }
}
