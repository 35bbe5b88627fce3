package io.holdfast.trainer.drift;

import io.holdfast.boosting.numeric.Check;
import org.jspecify.annotations.Nullable;

/**
 * What drift asks of training. Immutable.
 *
 * @param memoryRows how many of the newest remembered rows are still worth training on; null for
 *     all
 * @param replace whether a fresh model should be tried
 */
public record DriftAssessment(@Nullable Integer memoryRows, boolean replace) {
  public static final DriftAssessment NONE = new DriftAssessment(null, false);

  public DriftAssessment {
    if (memoryRows != null) {
      Check.that(memoryRows >= 0, "memoryRows must be 0 or more: %s", memoryRows);
    }
  }
}
