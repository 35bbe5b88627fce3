package io.holdfast.cli.stream;

import io.holdfast.schemas.settings.KafkaKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Sends keyed bytes to topics; a failure is thrown by the next call. Owned by one thread. */
public final class RecordSender implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final KafkaProducer<String, byte[]> producer;
  private final AtomicReference<@Nullable KafkaException> failure = new AtomicReference<>();

  public RecordSender(Map<String, String> kafka) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.producer(kafka));
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, LIMIT.toMillis());
    producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  /** Sends a record; the timestamp is milliseconds since 1970, or null for now. */
  public void send(String topic, String key, byte @Nullable [] value, @Nullable Long timestamp) {
    throwFailure();
    var _ =
        producer.send(
            new ProducerRecord<>(topic, null, timestamp, key, value),
            (metadata, error) -> {
              if (error != null) {
                failure.compareAndSet(
                    null,
                    error instanceof KafkaException known ? known : new KafkaException(error));
              }
            });
  }

  public void flush() {
    producer.flush();
    throwFailure();
  }

  @Override
  public void close() {
    producer.close(LIMIT);
  }

  private void throwFailure() {
    KafkaException known = failure.get();
    if (known != null) {
      throw known;
    }
  }
}
