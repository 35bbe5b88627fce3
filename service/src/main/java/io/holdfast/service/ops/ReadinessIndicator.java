package io.holdfast.service.ops;

import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.util.List;
import org.reactivestreams.Publisher;

/**
 * Up when every model has a verified version and every topology processes records; down before, and
 * while partitions are being reassigned. Degraded, and still ready, while a model is stale: every
 * instance serves the same version, so to take them out of service would leave none. Thread-safe.
 */
@Readiness
@Singleton
public final class ReadinessIndicator implements HealthIndicator {
  private static final HealthStatus DEGRADED =
      new HealthStatus("DEGRADED", "it works, and is not as it should be", true, 500);

  private final ServiceStatus status;

  ReadinessIndicator(ServiceStatus status) {
    this.status = status;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    List<String> awaited = status.awaited();
    List<String> degraded = status.degraded();
    HealthStatus health =
        !awaited.isEmpty() ? HealthStatus.DOWN : degraded.isEmpty() ? HealthStatus.UP : DEGRADED;
    List<String> reasons = awaited.isEmpty() ? degraded : awaited;
    return Publishers.just(
        HealthResult.builder("ready", health)
            .details(new HealthDetails(reasons, status.details()))
            .build());
  }
}
