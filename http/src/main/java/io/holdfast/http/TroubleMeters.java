package io.holdfast.http;

import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;

/** Troubles as metrics: one series a model and kind, there from the start. Stateless. */
public final class TroubleMeters {
  private TroubleMeters() {}

  /** Registers them under a name. */
  public static void bind(
      String name, Troubles troubles, Collection<String> models, MeterRegistry meters) {
    for (String model : models) {
      for (TroubleKind kind : TroubleKind.values()) {
        Gauge.builder(name, troubles, all -> all.isActive(model, kind) ? 1 : 0)
            .description("1 while the model is in that trouble, else 0")
            .tag("model", model)
            .tag("kind", kind.label())
            .strongReference(true)
            .register(meters);
      }
    }
  }
}
