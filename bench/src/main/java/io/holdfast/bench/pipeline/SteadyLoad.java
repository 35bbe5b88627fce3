package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.Latencies;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Sends records at an even rate and takes the time until their scores can be read by a consumer of
 * committed records. A record's time starts when it was due, not when it was sent: a producer that
 * is held up does not hide the wait.
 */
final class SteadyLoad implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final long PATIENCE_NANOS = 60_000_000_000L; // without any score

  private final String source;
  private final WideRecords records = new WideRecords();
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;

  SteadyLoad(Workbench bench, String source, String sink) {
    this.source = source;
    producer = bench.producer(Map.of("linger.ms", 0));
    consumer = Workbench.consumer(bench.bootstrapServers(), sink);
  }

  /**
   * Waits until a record of an even load is due.
   *
   * @return that time, as {@link System#nanoTime}
   */
  static long awaitDue(long start, int number, int ratePerSecond) {
    long due = start + number * 1_000_000_000L / ratePerSecond;
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return due;
  }

  /**
   * Sends for a while; the latencies of what was due after {@code skip}. Waits as long as scores
   * come, however slowly: a slow machine loses none.
   *
   * @throws IllegalStateException if scores are missing, or there twice
   */
  Latencies run(int ratePerSecond, Duration duration, Duration skip) throws InterruptedException {
    int count = (int) (duration.toMillis() * ratePerSecond / 1_000);
    long start = System.nanoTime();
    var failure = new AtomicReference<@Nullable Exception>();
    Thread sender =
        Thread.ofPlatform().name("load").start(() -> send(ratePerSecond, count, start, failure));
    var latencies = new Latencies();
    long counted = start + skip.toNanos();
    var scored = new BitSet(count);
    long lastNews = start + duration.toNanos();
    while (scored.cardinality() < count) {
      for (ConsumerRecord<byte[], byte[]> score : consumer.poll(POLL)) {
        ByteBuffer key = ByteBuffer.wrap(score.key());
        long due = key.getLong();
        int number = key.getInt();
        long now = System.nanoTime();
        lastNews = Math.max(lastNews, now);
        if (scored.get(number)) {
          throw new IllegalStateException("record " + number + " has two scores");
        }
        scored.set(number);
        if (due - counted >= 0) {
          latencies.add(now - due);
        }
      }
      if (System.nanoTime() - lastNews > PATIENCE_NANOS) {
        throw new IllegalStateException(
            "scores are missing: "
                + (count - scored.cardinality())
                + " of "
                + count
                + ", the first of record "
                + scored.nextClearBit(0));
      }
    }
    sender.join();
    if (failure.get() != null) {
      throw new IllegalStateException("a record could not be sent", failure.get());
    }
    return latencies;
  }

  private void send(
      int ratePerSecond, int count, long start, AtomicReference<@Nullable Exception> failure) {
    for (int i = 0; i < count; i++) {
      long due = awaitDue(start, i, ratePerSecond);
      byte[] key = ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(due).putInt(i).array();
      var _ =
          producer.send(
              new ProducerRecord<>(source, 0, key, records.value(i)),
              (sent, error) -> {
                if (error != null) {
                  failure.compareAndSet(null, error);
                }
              });
    }
    producer.flush();
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
