package io.holdfast.service.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running topology. An error that Kafka Streams cannot get over ends the whole client, since
 * another thread would meet it again; {@link #failure} then says why. Thread-safe.
 */
final class StreamsRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamsRun.class);
  // The default of 3 s cuts transactions off.
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

  private final String name;
  private final KafkaStreams streams;
  private final KafkaStreamsMetrics metrics;
  private volatile boolean closing;
  private volatile @Nullable String failure;

  /** Makes the client; does not start it. */
  StreamsRun(String name, Topology topology, Properties properties, MeterRegistry meters) {
    this.name = name;
    this.streams = new KafkaStreams(topology, properties);
    this.metrics = new KafkaStreamsMetrics(streams, List.of(Tag.of("topology", name)));
    metrics.bindTo(meters);
    streams.setUncaughtExceptionHandler(this::failed);
    streams.setStateListener(
        (now, before) -> LOG.info("topology {} is {} (was {})", name, now, before));
  }

  void start() {
    streams.start();
  }

  String name() {
    return name;
  }

  /** Whether records are being processed now; not while partitions are being reassigned. */
  boolean running() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** The state's name, for people. */
  String state() {
    return streams.state().name();
  }

  /** Why the topology is dead, in one sentence; null while it lives. */
  @Nullable String failure() {
    KafkaStreams.State state = streams.state();
    boolean dead =
        switch (state) {
          case ERROR, PENDING_ERROR -> true;
          case PENDING_SHUTDOWN, NOT_RUNNING -> !closing;
          case CREATED, REBALANCING, RUNNING -> false;
        };
    if (dead) {
      String cause = failure;
      return "topology " + name + " stopped: " + (cause == null ? "see the log" : cause);
    }
    return null;
  }

  /**
   * Finishes and commits what is in flight and leaves the group, so that another instance takes
   * over at once.
   */
  @Override
  public void close() {
    closing = true;
    metrics.close();
    boolean closed =
        streams.close(
            CloseOptions.timeout(CLOSE_LIMIT)
                .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    if (!closed) {
      LOG.warn("topology {} did not close within {}", name, CLOSE_LIMIT);
    }
  }

  private StreamThreadExceptionResponse failed(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    failure = root.getClass().getSimpleName() + ": " + root.getMessage();
    LOG.error("topology {} stops", name, cause);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }
}
