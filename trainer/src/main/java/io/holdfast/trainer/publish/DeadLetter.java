package io.holdfast.trainer.publish;

import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.Refusal;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * An example that could not be learned from, as it came, and why. Immutable.
 *
 * @param example what was read; its bytes are not copied
 */
public record DeadLetter(ConsumerRecord<byte[], byte[]> example, Refusal refusal) {
  /** A dead letter is larger than what it is about, by its headers, and must be taken. */
  private static final int HEADERS_BYTES = 48_588;

  /** The record for the model's topic of dead letters. */
  ProducerRecord<byte[], byte[]> toRecord(ModelTopics topics) {
    DeadLetterMessage letter =
        DeadLetterMessage.of(
            example.key(),
            example.value(),
            example.headers(),
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
