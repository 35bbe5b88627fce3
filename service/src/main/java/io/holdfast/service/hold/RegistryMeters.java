package io.holdfast.service.hold;

import static java.util.Objects.requireNonNull;

import io.holdfast.schemas.registry.RegistryException.Reason;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what came of requests to the schema registry. Thread-safe. */
public final class RegistryMeters implements SchemaRegistry.RequestListener {
  public static final String NAME = "holdfast.registry.requests";

  private final Counter answered;
  private final Map<Reason, Counter> failed = new EnumMap<>(Reason.class);

  public RegistryMeters(MeterRegistry meters) {
    answered = counter(meters, "answered");
    for (Reason reason : Reason.values()) {
      failed.put(reason, counter(meters, reason.name().toLowerCase(Locale.ROOT)));
    }
  }

  private static Counter counter(MeterRegistry meters, String outcome) {
    return Counter.builder(NAME)
        .description("Requests to the schema registry by what came of them")
        .tag("outcome", outcome)
        .register(meters);
  }

  @Override
  public void asked(@Nullable Reason failure) {
    (failure == null ? answered : requireNonNull(failed.get(failure))).increment();
  }
}
