package io.holdfast.service.ops;

import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;

/**
 * Down until requests are answered and records are scored for the first time. From then on degraded
 * at worst, and still ready, whatever befalls scoring, joining or a model: what one instance cannot
 * do for its broker or its version the others cannot do either, so that to take them all out of
 * service would leave none. {@link HealthController} says what works now. Thread-safe.
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
    List<String> starting = status.starting();
    List<String> degraded =
        Stream.of(status.awaited(), status.degraded(), status.joinAwaited())
            .flatMap(List::stream)
            .distinct()
            .toList();
    HealthStatus health =
        !starting.isEmpty() ? HealthStatus.DOWN : degraded.isEmpty() ? HealthStatus.UP : DEGRADED;
    List<String> reasons = starting.isEmpty() ? degraded : starting;
    return Publishers.just(
        HealthResult.builder("ready", health)
            .details(new HealthDetails(reasons, status.details()))
            .build());
  }
}
