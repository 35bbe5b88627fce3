package io.holdfast.service.rest;

import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.trouble.Trouble;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Whether the service lives and is ready; sentences for people.
 *
 * @param failures what is dead and only a restart mends
 * @param degraded what works and is not as it should be
 */
@Serdeable
public record StatusView(
    boolean alive,
    boolean ready,
    List<String> failures,
    List<String> awaited,
    List<String> degraded,
    List<TroubleView> troubles,
    List<LagView> lags,
    List<PendingView> pending,
    Map<String, String> parts) {

  /**
   * How far a stage, which is score, join or train, is behind.
   *
   * @param rows records that are there and of which nothing came yet
   * @param seconds how long the oldest of them, or the oldest whole window, has been waiting
   * @param deserted whether nobody is there to do it
   */
  @Serdeable
  public record LagView(
      String model, String stage, String group, long rows, double seconds, boolean deserted) {

    static LagView of(Stage stage, Lag lag) {
      return new LagView(
          stage.model(),
          stage.kind().label(),
          stage.group(),
          lag.rows(),
          lag.waited().toMillis() / 1_000.0,
          lag.deserted());
    }
  }

  /** What waits in a model's join: scored records for labels, labels for scores or records. */
  @Serdeable
  public record PendingView(String model, long records, long labels) {}

  /** Something that is wrong with a model now; {@code kind} is as in holdfast_trouble. */
  @Serdeable
  public record TroubleView(String model, String kind, String sentence, Instant since) {

    static TroubleView of(Trouble trouble) {
      return new TroubleView(
          trouble.model(), trouble.kind().label(), trouble.sentence(), trouble.since());
    }
  }
}
