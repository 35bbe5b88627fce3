package io.holdfast.trainer.drift;

import io.holdfast.boosting.numeric.Check;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the shift of a window against what came before asks of training. Immutable.
 *
 * @param memoryRows how many of the newest remembered rows are still worth training on; null for
 *     all
 * @param replace whether a model begun anew should be tried
 * @param metrics what the version is to remember of it, by name
 */
public record DriftAssessment(
    @Nullable Integer memoryRows, boolean replace, Map<String, Double> metrics) {
  /** Nothing to be done. */
  public static final DriftAssessment NONE = new DriftAssessment(null, false, Map.of());

  public DriftAssessment {
    if (memoryRows != null) {
      Check.that(memoryRows >= 0, "memoryRows must be 0 or more: %s", memoryRows);
    }
    metrics = Map.copyOf(metrics);
  }
}
