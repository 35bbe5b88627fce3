package io.holdfast.trainer.runtime;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;

/**
 * Alive as long as neither the membership in the group nor a model's thread has ended that should
 * not have.
 */
@Singleton
@Liveness
final class TrainerLiveness implements HealthIndicator {
  private final ModelLoops loops;

  TrainerLiveness(ModelLoops loops) {
    this.loops = loops;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    return Publishers.just(
        HealthResult.builder("models", loops.alive() ? HealthStatus.UP : HealthStatus.DOWN)
            .details(ModelDetails.of(loops))
            .build());
  }
}
