package io.holdfast.trainer.runtime;

import io.holdfast.schemas.lag.Lag;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import org.reactivestreams.Publisher;

/** Health of the trainer, with details of the group and of each model. */
@Factory
final class TrainerHealth {

  /** By {@link ModelLoops#alive}. */
  @Singleton
  @Liveness
  HealthIndicator liveness(ModelLoops loops) {
    return () -> result("models", loops.alive(), loops);
  }

  /** By {@link ModelLoops#ready}. */
  @Singleton
  @Readiness
  HealthIndicator readiness(ModelLoops loops) {
    return () -> result("training", loops.ready(), loops);
  }

  private static Publisher<HealthResult> result(String name, boolean up, ModelLoops loops) {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("group " + loops.group(), loops.describeMembership()); // no model's name has spaces
    for (ModelStatus status : loops.statuses()) {
      Lag lag = loops.lag(status.model());
      String behind = lag == null || lag.rows() == 0 ? "" : "; examples to come: " + lag.rows();
      details.put(status.model(), status.describe() + behind);
    }
    return Publishers.just(
        HealthResult.builder(name, up ? HealthStatus.UP : HealthStatus.DOWN)
            .details(details)
            .build());
  }
}
