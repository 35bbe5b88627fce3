package io.holdfast.service.route;

import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.DeadLetterMessage.Cause;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Messages that could not be used, on their way to a topic of dead letters. */
public final class DeadLetters {
  private DeadLetters() {}

  /**
   * The dead letter of a message.
   *
   * @param maxBytes the most that its key, value and headers may have together to be kept
   */
  public static Record<Outgoing, byte @Nullable []> of(
      Record<byte[], byte[]> message, Origin origin, Cause cause, int maxBytes) {
    DeadLetterMessage letter =
        DeadLetterMessage.of(
            message.key(), message.value(), message.headers(), origin, cause, maxBytes);
    return new Record<>(
        new Outgoing(origin.partition(), letter.key()),
        letter.value(),
        message.timestamp(),
        letter.headers());
  }
}
