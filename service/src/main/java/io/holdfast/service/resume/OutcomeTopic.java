package io.holdfast.service.resume;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.correlate.JoinInputCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * A topic that holds outcomes of another's messages, those of one partition in their order.
 *
 * @param required whether it must tell, if it has told before
 */
record OutcomeTopic(String name, Placing placing, Reading reading, boolean required) {

  /** Where outcomes of a partition may be. */
  enum Placing {
    SAME,
    MODULO,
    ANYWHERE;

    boolean has(int source, int partition, int partitions) {
      return switch (this) {
        case SAME -> source == partition;
        case MODULO -> source % partitions == partition;
        case ANYWHERE -> true;
      };
    }
  }

  /** What a message is the outcome of; null if of nothing that is looked for. */
  @FunctionalInterface
  interface Reading {
    @Nullable Source of(ConsumerRecord<byte[], byte[]> message);
  }

  static OutcomeTopic scores(ModelSettings model) {
    return new OutcomeTopic(
        model.topics().scores(), Placing.SAME, message -> score(model, message), true);
  }

  /** The join's topic, as far as labels are in it. */
  static OutcomeTopic labels(ModelSettings model) {
    return new OutcomeTopic(
        model.topics().join(), Placing.ANYWHERE, message -> label(message), false);
  }

  /** The letters about a topic's messages that could not be read. */
  static OutcomeTopic letters(ModelSettings model, Subject subject, String topic) {
    return new OutcomeTopic(
        model.topics().deadLetters(),
        Placing.MODULO,
        message -> letter(subject, topic, message),
        false);
  }

  private static @Nullable Source score(
      ModelSettings model, ConsumerRecord<byte[], byte[]> message) {
    try {
      Score score = Contracts.SCORE.decode(message.value());
      boolean ours =
          score.getModel().equals(model.name())
              && score.getSourceTopic().equals(model.topics().records());
      return ours
          ? new Source(
              score.getSourcePartition(),
              score.getSourceOffset(),
              true,
              message.key(),
              timestamp(message))
          : null;
    } catch (MalformedRecordException e) {
      return null; // somebody else's
    }
  }

  private static @Nullable Source label(ConsumerRecord<byte[], byte[]> message) {
    try {
      return message.value() != null
              && JoinInputCodec.decode(message.value())
                  instanceof JoinInput.Labelled(JoinInput.Message label)
          ? new Source(
              label.partition(), label.offset(), true, label.key(), label.timestampMillis())
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Source letter(
      Subject subject, String topic, ConsumerRecord<byte[], byte[]> message) {
    // The join's own letters are about labels that were taken long before.
    String error = MalformedRecordException.class.getName();
    if (!subject.label().equals(text(message, DeadLetterMessage.OF))
        || !topic.equals(text(message, DeadLetterMessage.TOPIC))
        || !error.equals(text(message, DeadLetterMessage.EXCEPTION))) {
      return null;
    }
    String partition = text(message, DeadLetterMessage.PARTITION);
    String offset = text(message, DeadLetterMessage.OFFSET);
    if (partition == null || offset == null) {
      return null;
    }
    boolean named = text(message, DeadLetterMessage.KEY_SHA256) == null;
    try {
      return new Source(
          Integer.parseInt(partition),
          Long.parseLong(offset),
          named,
          message.key(),
          DeadLetterMessage.messageTime(message.headers(), timestamp(message)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** That of what it is the outcome of, unless its topic has times of its own. */
  private static long timestamp(ConsumerRecord<byte[], byte[]> message) {
    return message.timestampType() == TimestampType.LOG_APPEND_TIME ? -1 : message.timestamp();
  }

  private static @Nullable String text(ConsumerRecord<byte[], byte[]> message, String header) {
    Header found = message.headers().lastHeader(header);
    return found == null || found.value() == null ? null : new String(found.value(), UTF_8);
  }
}
