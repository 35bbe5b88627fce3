package io.holdfast.service.ops;

import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Up when every model has a verified version and every topology processes records; down before, and
 * while partitions are being reassigned. Thread-safe.
 */
@Readiness
@Singleton
public final class ReadinessIndicator implements HealthIndicator {
  private final ServiceStatus status;

  ReadinessIndicator(ServiceStatus status) {
    this.status = status;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    return Mono.fromSupplier(
        () -> {
          List<String> awaited = status.awaited();
          return HealthResult.builder(
                  "ready", awaited.isEmpty() ? HealthStatus.UP : HealthStatus.DOWN)
              .details(new HealthDetails(awaited, status.details()))
              .build();
        });
  }
}
