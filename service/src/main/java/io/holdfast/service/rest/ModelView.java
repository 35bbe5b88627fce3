package io.holdfast.service.rest;

import io.holdfast.service.heads.HeadView;
import io.holdfast.service.watch.ModelState;
import io.holdfast.service.watch.RecentLoss;
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
 * @param state how it is, at a glance
 * @param recent what was served against the best constant over the newest windows
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
    Map<String, String> topics,
    State state,
    Recent recent,
    Coverage labelled) {

  /**
   * A condition in a word, with its reason.
   *
   * @param level good, warn or bad
   * @param rank its place among all conditions, the worst first
   * @param others what else is not as it should be
   */
  @Serdeable
  public record State(String word, String level, int rank, String reason, List<Finding> others) {

    static State of(ModelState state) {
      return new State(
          state.condition().word(),
          state.condition().level().label(),
          state.condition().rank(),
          state.reason(),
          state.others().stream()
              .map(
                  one ->
                      new Finding(
                          one.condition().word(), one.condition().level().label(), one.sentence()))
              .toList());
    }
  }

  /** Something that is not as it should be. */
  @Serdeable
  public record Finding(String word, String level, String sentence) {}

  /** Mean losses over the newest windows; {@code worst} is null if there are not two. */
  @Serdeable
  public record Recent(int windows, Losses all, @Nullable Losses worst) {

    static Recent of(RecentLoss recent) {
      RecentLoss.Figures worst = recent.worst();
      return new Recent(
          recent.windows(), Losses.of(recent.all()), worst == null ? null : Losses.of(worst));
    }
  }

  /** Of an environment, or of all if its name is empty; null losses if there are no rows. */
  @Serdeable
  public record Losses(
      String environment, long rows, @Nullable Double loss, @Nullable Double constantLoss) {

    static Losses of(RecentLoss.Figures of) {
      boolean any = of.rows() > 0;
      return new Losses(
          of.environment(),
          of.rows(),
          any ? (Double) of.loss() : null,
          any ? (Double) of.constantLoss() : null);
    }
  }

  /**
   * How many scored records whose wait is over had a label, since the start.
   *
   * @param heldSeconds how long the oldest label has waited for its score; null if none waits
   * @param delaySeconds how much later than their records used labels of a topic were, their mean
   *     since the start; null before the first, and where labels are in records
   */
  @Serdeable
  public record Coverage(
      @Nullable Double share,
      long labelled,
      long unlabelled,
      @Nullable Double heldSeconds,
      @Nullable Double delaySeconds) {}

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
