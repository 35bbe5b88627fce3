package io.holdfast.service.rest;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A configured model and how it does on this instance.
 *
 * @param objective the configured objective's name
 * @param objectiveText that and its configured parameters, for people
 * @param labels where labels come from: "record" is inside it, "topic" one of their own
 * @param serving what serves; null before the first verified version
 * @param head the head that says so, with the version that training grows from and the one that
 *     scores beside it
 * @param swaps how often another version began to serve since the start
 * @param newestWindow the newest window that was reported; null before the first
 * @param expected what the newest scores make one expect, before their labels come: accuracy and
 *     log loss of classes, rmse of counts and shares; empty for other objectives
 * @param rejections the newest versions that were refused, newest first
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
   * A version that serves.
   *
   * @param hash its manifest's SHA-256, hexadecimal
   * @param reason why it serves: what the head says was done last
   * @param since when it was made to serve
   */
  @Serdeable
  public record Serving(
      long version, String hash, int trees, int features, String reason, Instant since) {}

  /** A version that was refused. */
  @Serdeable
  public record Rejected(long version, String reason, String detail, Instant at) {}

  /**
   * What this instance has done since its start.
   *
   * @param scored records scored
   * @param shadowScored records that a shadow scored beside them
   * @param shadowFailed records that a shadow could not score, by reason
   * @param unscored records that could not be scored, by reason: all others were
   * @param deadLetters records and labels that could not be used, by reason
   * @param labels labels by what became of them
   * @param withoutLabel scored records that make no example, by reason
   */
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
