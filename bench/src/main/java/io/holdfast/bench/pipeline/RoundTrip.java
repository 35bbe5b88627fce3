package io.holdfast.bench.pipeline;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Bytes through a broker and back, with nothing else done: sent, or sent before and committed; and
 * waited for by a consumer that has nothing else to do. Owned by one thread.
 */
final class RoundTrip implements AutoCloseable {
  private static final Duration POLL = Duration.ofSeconds(5);

  private final ProducerRecord<byte[], byte[]> record;
  private final boolean transacted;
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;

  RoundTrip(Workbench bench, String topic, int bytes, boolean transacted) {
    record = new ProducerRecord<>(topic, 0, null, new byte[bytes]);
    this.transacted = transacted;
    producer =
        bench.producer(
            transacted
                ? Map.of("transactional.id", "round-trip", "linger.ms", 0)
                : Map.of("linger.ms", 0));
    if (transacted) {
      producer.initTransactions();
    }
    consumer = Workbench.consumer(bench.bootstrapServers(), topic);
  }

  /** From the call that sends, or commits, to the poll that brings the bytes. */
  long nanos() throws InterruptedException {
    if (!transacted) {
      long start = System.nanoTime();
      var _ = producer.send(record);
      return received(start);
    }
    producer.beginTransaction();
    var _ = producer.send(record);
    producer.flush();
    long start = System.nanoTime();
    // The commit is answered when its markers are written; to wait for that here would add it.
    Thread commit = Thread.ofVirtual().start(producer::commitTransaction);
    long nanos = received(start);
    commit.join();
    return nanos;
  }

  private long received(long start) {
    while (true) {
      if (!consumer.poll(POLL).isEmpty()) {
        return System.nanoTime() - start;
      }
    }
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
