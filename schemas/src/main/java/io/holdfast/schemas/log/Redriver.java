package io.holdfast.schemas.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.settings.KafkaKeys;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import io.holdfast.schemas.topic.TopicException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends letters in again, some in a transaction, with the marks that they were. Owned by one
 * thread.
 */
public final class Redriver implements AutoCloseable {
  private static final int AT_ONCE = 500;

  private final Letters letters;
  private final InstantSource clock;
  private final List<Letter> waiting = new ArrayList<>();
  private final @Nullable Producer<byte[], byte[]> producer; // null if nothing is to be sent

  /** One at a time for a model: a second fences the first, which then has sent nothing more. */
  public Redriver(Letters letters, String model, boolean dryRun) {
    this(letters, dryRun ? null : producer(letters, model), InstantSource.system());
  }

  /** With a producer of its own; without one nothing is sent. */
  Redriver(Letters letters, @Nullable Producer<byte[], byte[]> producer, InstantSource clock) {
    this.letters = letters;
    this.clock = clock;
    this.producer = producer;
    if (producer == null) {
      return;
    }
    try {
      producer.initTransactions();
    } catch (KafkaException e) {
      producer.close();
      throw failed(e);
    }
  }

  private static Producer<byte[], byte[]> producer(Letters letters, String model) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.producer(letters.kafka()));
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, DeadLetterMessage.transactionalId(model));
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Takes a letter that is whole, to be sent with others. */
  public void add(Letter letter) {
    if (producer != null && letter.whole()) {
      waiting.add(letter);
      if (waiting.size() == AT_ONCE) {
        flush();
      }
    }
  }

  /** Sends those that were taken. */
  public void flush() {
    if (producer == null || waiting.isEmpty()) {
      return;
    }
    try {
      producer.beginTransaction();
      for (Letter letter : waiting) {
        Origin origin = letter.origin();
        if (origin != null) {
          send(producer, letter, origin);
        }
      }
      producer.commitTransaction();
      waiting.clear();
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  private void send(Producer<byte[], byte[]> to, Letter letter, Origin origin) {
    var record = letter.record();
    var _ =
        to.send(
            new ProducerRecord<>(
                origin.topic(),
                origin.partition(),
                letter.time().toEpochMilli(),
                record.key(),
                record.value(),
                letter.headers()));
    var mark = new RecordHeaders();
    mark.add(DeadLetterMessage.REDRIVEN, Long.toString(record.offset()).getBytes(UTF_8));
    // No earlier than the letter, so that retention deletes the letter first.
    long now = Math.max(clock.millis(), record.timestamp());
    var _ =
        to.send(
            new ProducerRecord<>(
                letters.topic(), record.partition(), now, record.key(), null, mark));
  }

  private TopicException failed(KafkaException e) {
    return new TopicException(
        "dead letters were not sent in again: " + ClientSettings.explain(letters.kafka(), e), e);
  }

  /** What was not flushed is not sent. */
  @Override
  public void close() {
    if (producer != null) {
      producer.close();
    }
  }
}
