package io.holdfast.service.prediction;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.schemas.ColumnName;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.request.JsonScorer;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to records that were scored, all by one version and in their order. */
@Serdeable
public record ScoreView(@JsonUnwrapped VersionUsed by, List<Prediction> predictions) {

  /**
   * One record's score.
   *
   * @param id the record's, where {@code labels.correlation} names a field of it; null otherwise
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
      @Nullable String id,
      double prediction,
      @Nullable String label,
      List<Double> probabilities,
      @Nullable Double rawScore,
      List<Double> rawScores,
      List<String> absent,
      List<String> unseen,
      List<String> rounded) {

    static Prediction of(ActiveModel active, JsonScorer.Scored scored) {
      double[] raw = scored.raw();
      double[] probabilities = new double[active.objective().classes()];
      active.objective().probabilities(raw, probabilities);
      double prediction = active.objective().prediction(raw);
      return new Prediction(
          scored.id(),
          prediction,
          active.classes().label(active.objective(), prediction),
          list(probabilities),
          raw.length == 1 ? raw[0] : null,
          list(raw),
          active.absent(scored.schema()).stream().map(ColumnName::of).toList(),
          active.unseen(scored.features()),
          scored.rounded());
    }

    private static List<Double> list(double[] values) {
      return Arrays.stream(values).boxed().toList();
    }
  }
}
