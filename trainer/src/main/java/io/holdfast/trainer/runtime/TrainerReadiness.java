package io.holdfast.trainer.runtime;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;

/**
 * Ready when the group has given this trainer its share of the models, and each of them is learned;
 * also with an empty share, standing by.
 */
@Singleton
@Readiness
final class TrainerReadiness implements HealthIndicator {
  private final ModelLoops loops;

  TrainerReadiness(ModelLoops loops) {
    this.loops = loops;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    return Publishers.just(
        HealthResult.builder("training", loops.ready() ? HealthStatus.UP : HealthStatus.DOWN)
            .details(ModelDetails.of(loops))
            .build());
  }
}
