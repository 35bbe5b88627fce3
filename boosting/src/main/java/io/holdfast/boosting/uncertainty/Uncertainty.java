package io.holdfast.boosting.uncertainty;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;
import org.jspecify.annotations.Nullable;

/**
 * How sure the scores of a version are. Immutable.
 *
 * @param since how many labels have come since the thresholds were learned
 * @param spreads gives the spread of a row, as {@link SpreadModel} has it; null of classes
 * @param spreadsAge how many labels have come since it was learned; 0 of classes
 */
public record Uncertainty(
    Thresholds thresholds, long since, @Nullable Model spreads, long spreadsAge) {
  public Uncertainty {
    Check.that(since >= 0, "labels must be 0 or more: %s", since);
    Check.that(spreadsAge >= 0, "labels must be 0 or more: %s", spreadsAge);
    Check.that(
        spreads == null || spreads.base().outputs() == 1,
        "a model of spreads must have one raw score: %s",
        spreads == null ? 0 : spreads.base().outputs());
  }

  /** The same, some labels later. */
  public Uncertainty after(long labels) {
    return new Uncertainty(
        thresholds, since + labels, spreads, spreads == null ? 0 : spreadsAge + labels);
  }
}
