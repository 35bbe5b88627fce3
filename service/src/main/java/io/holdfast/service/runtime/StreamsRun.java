package io.holdfast.service.runtime;

import io.holdfast.schemas.Sentence;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One topology's client from its start to its end. An error that Kafka Streams cannot get over ends
 * the whole client, since another thread would meet it again; {@link #failure} then says why.
 * Thread-safe.
 */
final class StreamsRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamsRun.class);
  // The default of 3 s cuts transactions off.
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final String name;
  private final KafkaStreams streams;
  private final KafkaStreamsMetrics metrics;
  private final @Nullable ModelTopicGate gate;
  private final Instances instances;
  private long lookedNanos = System.nanoTime(); // of the supervisor's thread
  private boolean settled; // looked at since it runs; of the supervisor's thread
  private volatile @Nullable Throwable failure;

  /** What the meters of all clients have in common, so that a client needs no thread for its. */
  record Meters(MeterRegistry registry, ScheduledExecutorService refreshing) {}

  /** Does not start yet. */
  StreamsRun(
      StreamsPlan.Parts parts,
      Flow flow,
      String model,
      Topology topology,
      Properties properties,
      @Nullable ModelTopicGate gate,
      KafkaClientSupplier clients) {
    this.instances = parts.instances();
    this.gate = gate;
    this.name = properties.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
    this.streams = new KafkaStreams(topology, properties, clients);
    this.metrics =
        new KafkaStreamsMetrics(
            streams,
            List.of(Tag.of("topology", flow.label()), Tag.of("model", model)),
            parts.meters().refreshing());
    metrics.bindTo(parts.meters().registry());
    streams.setUncaughtExceptionHandler(
        (Throwable cause) -> {
          failure = cause;
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    streams.setStateListener((now, before) -> LOG.info("{} is {} (was {})", name, now, before));
  }

  void start() {
    if (gate != null) {
      gate.attach(streams);
    }
    streams.start();
  }

  /** Whether records are being processed now; not while partitions are being reassigned. */
  boolean running() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /**
   * Sees to what instances that are gone have left: it may be what is waited for, and readers of
   * scores wait for it too. Now and then while partitions change hands, and once behind that.
   */
  void lookAtOthers(boolean running) {
    if (!running) {
      settled = false;
    }
    long now = System.nanoTime();
    if (!settled && now - lookedNanos > BETWEEN_LOOKS.toNanos()) {
      lookedNanos = now;
      instances.endLeftOpen(name);
      settled = running;
    }
  }

  /** Whether it processes nothing until the model topic has been read to its end. */
  boolean held() {
    return gate != null && gate.holds();
  }

  /** The error that it ended on; null while it lives. */
  @Nullable Throwable failure() {
    return switch (streams.state()) {
      case ERROR, PENDING_ERROR, PENDING_SHUTDOWN, NOT_RUNNING -> {
        Throwable cause = failure;
        yield cause == null ? new IllegalStateException("it ended; the log says why") : cause;
      }
      case CREATED, REBALANCING, RUNNING -> null;
    };
  }

  /** Commits what is in flight and leaves the group, so that another instance takes over. */
  @Override
  public void close() {
    metrics.close();
    if (gate != null) {
      gate.close();
    }
    boolean closed =
        streams.close(
            CloseOptions.timeout(CLOSE_LIMIT)
                .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    if (!closed) {
      LOG.warn("{} did not close within {}", name, Sentence.time(CLOSE_LIMIT));
    }
  }
}
