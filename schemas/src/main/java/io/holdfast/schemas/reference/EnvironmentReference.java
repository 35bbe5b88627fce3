package io.holdfast.schemas.reference;

import io.holdfast.boosting.numeric.Check;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of an environment were distributed. Immutable.
 *
 * @param environment its name; null for all that have no part of their own
 * @param rows how many there are
 * @param quantities of each feature, in the order of features, and last of the label; rows beyond
 *     those that a sketch has lack a value
 */
public record EnvironmentReference(
    @Nullable String environment, long rows, List<DistributionSketch> quantities) {
  public EnvironmentReference {
    quantities = List.copyOf(quantities);
    Check.that(rows >= 1, "rows must be 1 or more: %s", rows);
    Check.that(!quantities.isEmpty(), "there must be a sketch of the label at least: %s", 0);
    for (DistributionSketch quantity : quantities) {
      Check.that(
          quantity.present() <= rows,
          "a sketch must stand for at most the %s rows there are: %s",
          rows,
          quantity.present());
    }
  }
}
