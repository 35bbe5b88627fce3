package io.holdfast.bench.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Bytes through a broker and back, with nothing else done: sent, or sent before and committed; and
 * waited for by a consumer that has nothing else to do. Owned by one thread.
 */
final class RoundTrip implements AutoCloseable {
  private static final Duration POLL = Duration.ofSeconds(5);

  private final String topic;
  private final byte[] value;
  private final boolean transacted;
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;

  RoundTrip(Workbench bench, String topic, int bytes, boolean transacted) {
    this.topic = topic;
    this.value = new byte[bytes];
    this.transacted = transacted;
    this.producer =
        bench.producer(
            transacted
                ? Map.of("transactional.id", "round-trip", "linger.ms", 0)
                : Map.of("linger.ms", 0));
    if (transacted) {
      producer.initTransactions();
    }
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bench.bootstrapServers(),
                "isolation.level",
                transacted ? "read_committed" : "read_uncommitted"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    var partition = new TopicPartition(topic, 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
  }

  /** From the call that sends, or commits, to the poll that brings the bytes. */
  long nanos() {
    var record = new ProducerRecord<byte[], byte[]>(topic, 0, null, value);
    long start;
    if (transacted) {
      producer.beginTransaction();
      var _ = producer.send(record);
      producer.flush();
      start = System.nanoTime();
      // The commit is answered when its markers are written; to wait for that here would add it.
      Thread commit = Thread.ofVirtual().start(producer::commitTransaction);
      long nanos = received(start);
      join(commit);
      return nanos;
    }
    start = System.nanoTime();
    var _ = producer.send(record);
    return received(start);
  }

  private long received(long start) {
    while (true) {
      if (!consumer.poll(POLL).isEmpty()) {
        return System.nanoTime() - start;
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
