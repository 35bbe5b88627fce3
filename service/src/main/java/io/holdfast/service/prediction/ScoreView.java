package io.holdfast.service.prediction;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.schemas.ColumnName;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.request.JsonScorer;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The answer to records that were scored, all by one version and in their order. */
@Serdeable
public record ScoreView(@JsonUnwrapped VersionUsed by, List<Prediction> predictions) {

  /**
   * Where a label is promised to be, so often.
   *
   * @param lower null of classes, as {@code upper} is
   * @param classes by number; empty of numbers
   */
  @Serdeable
  public record Bounds(
      double coverage, @Nullable Double lower, @Nullable Double upper, List<Integer> classes) {

    static List<Bounds> of(ActiveModel active, JsonScorer.Scored scored) {
      RowBounds row = active.bounds();
      if (row == null) {
        return List.of();
      }
      row.of(scored.environment(), scored.raw(), row.spread(scored.features(), scored.raw()));
      List<Bounds> all = new ArrayList<>();
      for (int place = 0; place < row.levels().size(); place++) {
        int level = place;
        boolean number = !row.ofClasses();
        all.add(
            new Bounds(
                row.levels().get(level),
                number ? (Double) row.lower(level) : null,
                number ? (Double) row.upper(level) : null,
                IntStream.range(0, row.classes())
                    .filter(k -> row.holds(level, k))
                    .boxed()
                    .toList()));
      }
      return all;
    }
  }

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
   * @param bounds where the label is promised to be; empty if the version does not say
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
      List<String> rounded,
      List<Bounds> bounds) {

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
          scored.rounded(),
          Bounds.of(active, scored));
    }

    private static List<Double> list(double[] values) {
      return Arrays.stream(values).boxed().toList();
    }
  }
}
