package io.holdfast.service.report;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the reports topic, committed records only, from its beginning, on a thread of its own.
 * Reports are for people: without them the service scores on.
 */
public final class ReportReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportReader.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final String topic;
  private final RecentReports reports;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final ContractCodec<WindowReport> codec = new ContractCodec<>(WindowReport.class);
  private final Thread thread;
  private volatile boolean started;
  private volatile boolean closing;
  private volatile @Nullable String failure;

  /** Makes the consumer; does not start the thread. */
  public ReportReader(Map<String, String> kafka, String topic, RecentReports reports) {
    this.topic = topic;
    this.reports = reports;
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    this.consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.thread =
        Thread.ofPlatform()
            .name("holdfast-reports")
            .uncaughtExceptionHandler(this::died)
            .unstarted(this::follow);
  }

  /** Starts reading. */
  public void start() {
    started = true;
    thread.start();
  }

  /** Why reports are no longer read, in one sentence; null while they are. */
  public @Nullable String failure() {
    return failure;
  }

  @Override
  public void close() {
    closing = true;
    if (!started) {
      consumer.close();
      return;
    }
    consumer.wakeup();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow() {
    try (consumer) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!closing) {
        consumer.poll(POLL).forEach(this::add);
      }
    } catch (WakeupException e) {
      if (!closing) {
        throw e;
      }
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    try {
      reports.add(codec.decode(record.value()));
    } catch (MalformedRecordException e) {
      LOG.warn(
          "report {}-{}@{} cannot be read and is left out: {}",
          topic,
          record.partition(),
          record.offset(),
          e.getMessage());
    }
  }

  private void died(Thread thread, Throwable cause) {
    failure = "window reports are no longer read: " + cause.getMessage();
    LOG.error("the report reader stopped", cause);
  }
}
