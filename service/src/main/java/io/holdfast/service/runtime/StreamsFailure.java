package io.holdfast.service.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.service.resume.TopicMadeAnewException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;

/** What the error that a topology ended on means to a user. Stateless. */
final class StreamsFailure {
  private StreamsFailure() {}

  /** The trouble of a topology whose {@code activity} ended. */
  static Obstacle of(String activity, Settings settings, Throwable error) {
    Throwable telling = telling(error);
    String again = activity + " stopped and is tried again: ";
    if (telling instanceof MissingSourceTopicException) {
      return new Obstacle(
          TroubleKind.TOPIC, activity + " stopped: a topic that it reads was deleted");
    }
    if (telling instanceof TopicMadeAnewException) {
      return new Obstacle(TroubleKind.TOPIC, activity + " starts again: " + telling.getMessage());
    }
    if (telling instanceof TopicException) {
      return new Obstacle(
          TroubleKind.KAFKA,
          activity + " could not be started and is tried again: " + telling.getMessage());
    }
    if (telling instanceof FencedInstanceIdException) {
      return new Obstacle(
          TroubleKind.KAFKA,
          Sentence.of(
              "%s stands by while another service has the instance id %s, too: give each a"
                  + " holdfast.service.instanceId of its own, or none",
              activity, InstanceId.of(settings.service())));
    }
    if (ofState(error)) {
      return new Obstacle(
          TroubleKind.STOPPED,
          Sentence.of(
              "%sits state below %s cannot be used: the folder and all in it must be readable and"
                  + " writable for this service alone, with room left on the disk (%s)",
              again, settings.service().stateDirectory(), telling.getMessage()));
    }
    return telling instanceof KafkaException && !(telling instanceof StreamsException)
        ? new Obstacle(TroubleKind.KAFKA, again + ClientSettings.explain(settings.kafka(), telling))
        : new Obstacle(TroubleKind.STOPPED, again + telling.getMessage());
  }

  /** Whether it is what a disk does, of which the sentence says all. */
  static boolean ofState(Throwable error) {
    return error instanceof ProcessorStateException
        || error.getCause() instanceof ProcessorStateException;
  }

  /** Whether an instance of the same id has taken the place in the group. */
  static boolean fenced(Throwable error) {
    return telling(error) instanceof FencedInstanceIdException;
  }

  /** The first error in the chain that speaks for itself: Kafka Streams wraps what it met. */
  private static Throwable telling(Throwable error) {
    Throwable root = error;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof ApiException
          || cause instanceof MissingSourceTopicException
          || cause instanceof TopicMadeAnewException
          || cause instanceof TopicException) {
        return cause;
      }
      root = cause;
    }
    return root;
  }
}
