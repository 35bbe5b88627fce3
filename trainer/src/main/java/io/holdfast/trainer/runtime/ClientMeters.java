package io.holdfast.trainer.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Metrics of Kafka clients. Owned by the thread that opened these, and closed before them. */
final class ClientMeters implements AutoCloseable {
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<KafkaClientMetrics> bound = new ArrayList<>();
  // clients get metrics as they go
  private final ScheduledExecutorService refresh =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofVirtual().name("holdfast-client-meters").factory());

  ClientMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  void add(Consumer<byte[], byte[]> consumer) {
    bind(new KafkaClientMetrics(consumer, tags, refresh));
  }

  void add(Producer<byte[], byte[]> producer) {
    bind(new KafkaClientMetrics(producer, tags, refresh));
  }

  private void bind(KafkaClientMetrics metrics) {
    bound.add(metrics);
    metrics.bindTo(registry);
  }

  @Override
  public void close() {
    refresh.shutdownNow();
    bound.forEach(KafkaClientMetrics::close);
  }
}
