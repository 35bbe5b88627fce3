package io.holdfast.service.resume;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Where partitions are gone on with of which nothing is committed. Thread-safe. */
@FunctionalInterface
public interface ResumePoints {
  /** All at the beginning. */
  ResumePoints BEGINNING = partitions -> Map.of();

  /**
   * The offset behind the last message that has an outcome, for those partitions that have such a
   * message; the others begin at the beginning. May take seconds.
   *
   * @throws io.holdfast.schemas.topic.TopicException in one sentence, if that cannot be told
   */
  Map<TopicPartition, Long> of(Collection<TopicPartition> partitions);
}
