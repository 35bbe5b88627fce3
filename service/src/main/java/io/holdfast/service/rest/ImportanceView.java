package io.holdfast.service.rest;

import io.holdfast.boosting.explain.Importance;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.schemas.ColumnName;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/**
 * What each feature is worth to the version that serves, the most first.
 *
 * @param measure gain, what its splits gained in training, or splits, how many there are
 */
@Serdeable
public record ImportanceView(long version, String measure, List<Worth> features) {

  /** A feature's share of all. */
  @Serdeable
  public record Worth(String feature, double share) {}

  static ImportanceView of(long version, Model model) {
    boolean gains =
        model.segments().stream()
            .map(Segment::trees)
            .flatMap(List::stream)
            .allMatch(tree -> tree.hasStatistics() || tree.leaves() == 1);
    Importance importance = gains ? Importance.byGain(model) : Importance.bySplits(model);
    return new ImportanceView(
        version,
        gains ? "gain" : "splits",
        importance.normalised().ranked().entries().stream()
            .map(one -> new Worth(ColumnName.of(one.feature()), one.value()))
            .toList());
  }
}
