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
    List<String> reasons = status.awaited();
    return Publishers.just(
        HealthResult.builder("ready", reasons.isEmpty() ? HealthStatus.UP : HealthStatus.DOWN)
            .details(new HealthDetails(reasons, status.details()))
            .build());
  }
}
