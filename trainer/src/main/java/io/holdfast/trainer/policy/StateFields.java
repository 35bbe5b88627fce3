package io.holdfast.trainer.policy;

import io.holdfast.schemas.version.Figures;
import java.util.Map;

/** Reads numbers of a state from metrics, or writes them: one list of fields serves for both. */
@FunctionalInterface
interface StateFields {
  /** The number to go on with: as stored, or {@code value} if none is, or if this writes it. */
  double exchange(String key, double value);

  static StateFields reading(Map<String, Double> metrics) {
    return metrics::getOrDefault;
  }

  static StateFields writing(Figures.Builder metrics) {
    return (key, value) -> {
      metrics.put(key, value);
      return value;
    };
  }
}
