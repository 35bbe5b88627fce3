package io.holdfast.service.rest;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A configured model and how it does on this instance.
 *
 * @param objectiveText the objective and its configured parameters, for people
 * @param labels where labels come from: "record" is inside it, "topic" one of their own
 * @param serving what serves; null before the first verified version
 * @param swaps how often another version began to serve since the start
 * @param expected what the newest scores make one expect, before their labels come: accuracy and
 *     log loss of classes, rmse of counts and shares; empty for other objectives
 */
@Serdeable
public record ModelView(
    String name,
    String objective,
    String objectiveText,
    String labels,
    @Nullable Serving serving,
    @Nullable HeadView head,
    long swaps,
    @Nullable Long newestWindow,
    Map<String, @Nullable Double> expected,
    List<Rejected> rejections,
    Counts counts,
    Map<String, String> topics) {

  /**
   * A version that serves, and what was done last to make it serve.
   *
   * @param classes their names in order; empty if they are known by number alone, or there are none
   */
  @Serdeable
  public record Serving(
      long version,
      String hash,
      int trees,
      int features,
      List<String> classes,
      String reason,
      Instant since) {}

  /** A version that was refused. */
  @Serdeable
  public record Rejected(long version, String reason, String detail, Instant at) {}

  /** What this instance has done since its start: by reason, labels by what became of them. */
  @Serdeable
  public record Counts(
      long scored,
      long shadowScored,
      Map<String, Long> shadowFailed,
      Map<String, Long> unscored,
      Map<String, Long> deadLetters,
      Map<String, Long> labels,
      Map<String, Long> withoutLabel) {}
}
