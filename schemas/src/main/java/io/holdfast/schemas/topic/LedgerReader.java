package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.LedgerAudit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads the model topic once, from its beginning to its end. Stateless. */
public final class LedgerReader {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int SHORT_WAIT_MILLIS = 20;

  private LedgerReader() {}

  /** What is done with each record, in order. */
  @FunctionalInterface
  public interface Listener {
    void onRecord(ConsumerRecord<String, byte[]> record);
  }

  /**
   * Applies all that was written to the topic before this call.
   *
   * @param kafka client settings, passed through
   * @param patience how long to wait where nothing more comes
   * @throws TopicException in one sentence, if the topic cannot be read to its end
   */
  public static void read(Map<String, String> kafka, String topic, Ledger into, Duration patience) {
    Listener listener =
        record -> {
          if (record.key() != null) {
            into.apply(record.key(), record.value());
          }
        };
    read(kafka, topic, patience, listener);
    into.recallHeads();
  }

  /** Checks all that was written to the topic before this call; throws as {@link #read}. */
  public static LedgerAudit.Result audit(
      Map<String, String> kafka, String topic, Duration patience) {
    LedgerAudit audit = new LedgerAudit();
    Listener listener = r -> audit.apply(r.offset(), r.key(), r.value());
    read(kafka, topic, patience, listener);
    return audit.result();
  }

  /** Hands over all that was written to the topic before this call. */
  public static void read(
      Map<String, String> kafka, String topic, Duration patience, Listener listener) {
    /*
     * All models share the topic's one partition, and a reader of committed records sees nothing
     * behind another model's open transaction. So the end to reach is the one that counts records of
     * open transactions too: a ledger that lacks the model's newest version would grow a second one
     * with its number.
     */
    var partition = new TopicPartition(topic, 0);
    try (Consumer<String, byte[]> all = consumer(kafka, "read_uncommitted");
        Consumer<String, byte[]> committed = consumer(kafka, "read_committed")) {
      long end = all.endOffsets(List.of(partition), patience).getOrDefault(partition, 0L);
      committed.assign(List.of(partition));
      committed.seekToBeginning(List.of(partition));
      long reached = committed.position(partition, patience);
      long deadline = System.nanoTime() + patience.toNanos();
      while (reached < end) {
        committed.poll(POLL).forEach(listener::onRecord);
        long position = committed.position(partition, patience);
        if (position > reached) {
          reached = position;
          deadline = System.nanoTime() + patience.toNanos();
        } else if (System.nanoTime() - deadline > 0) {
          throw new TopicException(
              Sentence.of(
                  "the topic %s could not be read to offset %d: nothing came for %d s behind offset"
                      + " %d, so a transaction on it is still open, or the broker is slow",
                  topic, end, patience.toSeconds(), reached));
        }
      }
    } catch (KafkaException e) {
      throw new TopicException(
          Sentence.of("the topic %s cannot be read: %s", topic, ClientSettings.explain(kafka, e)),
          e);
    }
  }

  private static Consumer<String, byte[]> consumer(Map<String, String> kafka, String isolation) {
    Map<String, Object> settings = ClientSettings.consumer(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, SHORT_WAIT_MILLIS); // nothing new to come
    return new KafkaConsumer<>(settings);
  }
}
