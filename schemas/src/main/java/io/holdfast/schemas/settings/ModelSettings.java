package io.holdfast.schemas.settings;

import io.holdfast.boosting.BoosterSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SKELETON: one model of the configuration, {@code holdfast.models.NAME}. */
public record ModelSettings(
    String name,
    BoosterSettings booster,
    String label,
    Labels labels,
    @Nullable String environment,
    @Nullable String weight,
    @Nullable String time,
    @Nullable String id,
    Features features,
    Window window,
    Update update,
    ModelTopics topics,
    List<Path> schemas) {

  /** Where labels come from: inside the record, or in a topic of their own. */
  public sealed interface Labels {
    /** Every record carries its label in the field {@code label}. */
    record InRecord() implements Labels {}

    /** Labels arrive in the labels topic; a record waits for its label this long, by event time. */
    record InTopic(Duration maxWait) implements Labels {}
  }

  /** Which fields are features; empty {@code include} means every field that has no other role. */
  public record Features(List<String> include, List<String> exclude, List<String> categorical) {}

  /**
   * When a window closes: at {@code rows} rows once {@code environments} environments are in it, or
   * at {@code maxRows} whatever is in it. {@code memoryRows} older rows are trained on beside it.
   */
  public record Window(int rows, int environments, int maxRows, int memoryRows) {}

  /**
   * The update policy; {@code append} is the one there is. The oldest segments leave over budget.
   */
  public record Update(String policy, int maxTrees) {}

  /** The model's own topics. */
  public record ModelTopics(
      String records, String scores, String labels, String examples, String deadLetters) {}
}
