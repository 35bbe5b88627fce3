package io.holdfast.trainer.publish;

import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.Refusal;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** An example that could not be learned from, and why. Immutable; its bytes are not copied. */
public record DeadLetter(ConsumerRecord<byte[], byte[]> example, Refusal refusal) {
  /** By which a dead letter may be larger than its example. */
  private static final int HEADERS_BYTES = 48_588;

  /** The record for the model's topic of dead letters, of the time when it is sent. */
  ProducerRecord<byte[], byte[]> toRecord(ModelTopics topics) {
    DeadLetterMessage letter =
        DeadLetterMessage.of(
            example.key(),
            example.value(),
            example.headers(),
            example.timestamp(),
            new DeadLetterMessage.Origin(example.topic(), example.partition(), example.offset()),
            new DeadLetterMessage.Cause(
                DeadLetterMessage.Subject.EXAMPLE,
                refusal.reason(),
                MalformedRecordException.class.getName(),
                refusal.message()),
            topics.maxMessageBytes() - HEADERS_BYTES);
    return new ProducerRecord<>(
        topics.deadLetters(), null, null, letter.key(), letter.value(), letter.headers());
  }
}
