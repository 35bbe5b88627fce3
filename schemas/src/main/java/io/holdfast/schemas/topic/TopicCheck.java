package io.holdfast.schemas.topic;

import io.holdfast.schemas.settings.Settings;
import java.util.List;

/** SKELETON: the topics that a configuration needs, their creation and their check. */
public final class TopicCheck {
  private TopicCheck() {}

  /** A topic as it should be; partitions 0 means as many as the broker gives. */
  public record Expected(String name, int partitions, boolean compacted) {}

  /** All topics that the settings name. */
  public static List<Expected> expected(Settings settings) {
    return List.of();
  }

  /** Creates what is missing and leaves what is there; returns the names created. */
  public static List<String> create(Settings settings, int partitions) {
    return List.of();
  }

  /**
   * What is wrong, a sentence each with its remedy: broker not reachable, topics missing, one that
   * must be compacted and is not, records and labels with unequal partition counts. Empty if all is
   * well.
   */
  public static List<String> problems(Settings settings) {
    return List.of();
  }
}
