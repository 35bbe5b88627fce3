package io.holdfast.service.runtime;

import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.trouble.TroubleKind;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;

/** What the error that a topology ended on means to a user. Stateless. */
final class StreamsFailure {
  private StreamsFailure() {}

  /**
   * The trouble and its sentence.
   *
   * @param activity what the topology does
   */
  static Obstacle of(String activity, Map<String, String> kafka, Throwable error) {
    Throwable telling = telling(error);
    if (telling instanceof MissingSourceTopicException) {
      return new Obstacle(
          TroubleKind.TOPIC, activity + " stopped: a topic that it reads was deleted");
    }
    if (telling instanceof TopicException) {
      return new Obstacle(
          TroubleKind.KAFKA,
          activity + " could not be started and is tried again: " + telling.getMessage());
    }
    return telling instanceof KafkaException && !(telling instanceof StreamsException)
        ? new Obstacle(
            TroubleKind.KAFKA,
            activity + " stopped and is tried again: " + ClientSettings.explain(kafka, telling))
        : new Obstacle(
            TroubleKind.STOPPED, activity + " stopped and is tried again: " + telling.getMessage());
  }

  /**
   * The first error in the chain that says something by itself: Kafka Streams wraps what it met.
   */
  private static Throwable telling(Throwable error) {
    Throwable root = error;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof ApiException
          || cause instanceof MissingSourceTopicException
          || cause instanceof TopicException) {
        return cause;
      }
      root = cause;
    }
    return root;
  }
}
