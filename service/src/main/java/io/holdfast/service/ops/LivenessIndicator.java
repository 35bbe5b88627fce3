package io.holdfast.service.ops;

import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import jakarta.inject.Singleton;
import java.util.List;
import org.reactivestreams.Publisher;

/** Down when something is dead that only a restart mends. Thread-safe. */
@Liveness
@Singleton
public final class LivenessIndicator implements HealthIndicator {
  private final ServiceStatus status;

  LivenessIndicator(ServiceStatus status) {
    this.status = status;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    List<String> reasons = status.failures();
    return Publishers.just(
        HealthResult.builder("alive", reasons.isEmpty() ? HealthStatus.UP : HealthStatus.DOWN)
            .details(new HealthDetails(reasons, status.details()))
            .build());
  }
}
