package io.holdfast.faults;

import io.holdfast.schemas.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * What holds readers of committed messages back: one that nobody ends holds them for ever.
 * Stateless.
 */
final class OpenTransactions {
  private OpenTransactions() {}

  /** A sentence for each partition that has any; or why that is not known. */
  static List<String> of(Brokers brokers) {
    try (Admin admin = brokers.admin()) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (var topic :
          admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(one -> partitions.add(new TopicPartition(topic.name(), one.partition())));
      }
      var producers = admin.describeProducers(partitions).all().get();
      Map<String, String> open = new TreeMap<>();
      producers.forEach(
          (partition, state) ->
              state
                  .activeProducers()
                  .forEach(producer -> note(partition.toString(), producer, open)));
      return List.copyOf(open.values());
    } catch (ExecutionException | KafkaException e) {
      return List.of("which transactions are open is not known: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static void note(String partition, ProducerState producer, Map<String, String> open) {
    producer
        .currentTransactionStartOffset()
        .ifPresent(
            offset ->
                open.put(
                    partition,
                    Sentence.of(
                        "%s: open from offset %d on, written to last at %s by producer %d",
                        partition,
                        offset,
                        Instant.ofEpochMilli(producer.lastTimestamp()),
                        producer.producerId())));
  }
}
