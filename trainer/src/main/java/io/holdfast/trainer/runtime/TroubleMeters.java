package io.holdfast.trainer.runtime;

import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;

/** Troubles as metrics: one series a model and kind, there from the start. Stateless. */
final class TroubleMeters {
  private TroubleMeters() {}

  static void bind(Troubles troubles, Collection<String> models, MeterRegistry meters) {
    for (String model : models) {
      for (TroubleKind kind : TroubleKind.values()) {
        Gauge.builder(
                "holdfast.trainer.trouble", troubles, all -> all.isActive(model, kind) ? 1 : 0)
            .description("1 while the model is in that trouble, else 0")
            .tag("model", model)
            .tag("kind", kind.label())
            .strongReference(true)
            .register(meters);
      }
    }
  }
}
