package io.holdfast.service.rest;

import io.holdfast.schemas.trouble.Trouble;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Whether the service lives and is ready.
 *
 * @param failures what is dead and only a restart mends, a sentence each
 * @param awaited what is waited for before records are scored, a sentence each
 * @param degraded what works and is not as it should be, a sentence each
 * @param troubles what is wrong with each model now, by name
 * @param parts parts of the service and their states
 */
@Serdeable
public record StatusView(
    boolean alive,
    boolean ready,
    List<String> failures,
    List<String> awaited,
    List<String> degraded,
    List<TroubleView> troubles,
    Map<String, String> parts) {

  /**
   * Something that is wrong with a model now.
   *
   * @param kind its name, as in the metric {@code holdfast_trouble}
   * @param sentence what is wrong, and what to do about it
   */
  @Serdeable
  public record TroubleView(String model, String kind, String sentence, Instant since) {

    static TroubleView of(Trouble trouble) {
      return new TroubleView(
          trouble.model(), trouble.kind().label(), trouble.sentence(), trouble.since());
    }
  }
}
