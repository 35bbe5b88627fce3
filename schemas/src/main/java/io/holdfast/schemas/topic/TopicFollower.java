package io.holdfast.schemas.topic;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a compacted topic on a thread of its own, for a listener that never ends. Apart from
 * Kafka Streams on purpose: a model topic that cannot be read must not stop the scoring of what
 * already serves. Thread-safe.
 */
public final class TopicFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);

  /** A reader that does well asks for the end every second or two. */
  private static final Duration CURRENT_FOR = Duration.ofSeconds(5);

  private final String topic;
  private final CompactedTopicReader reader;
  private final Thread thread;
  private volatile boolean started;
  private volatile boolean closing;
  private volatile @Nullable String failure;

  /** Does not start yet; {@code kafka} are client settings, passed through. */
  public TopicFollower(
      Map<String, String> kafka, String topic, CompactedTopicReader.Listener listener) {
    this.topic = topic;
    this.reader = new CompactedTopicReader(kafka, topic, listener);
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("holdfast-" + topic)
            .uncaughtExceptionHandler(this::died)
            .unstarted(reader);
  }

  /** Starts reading. */
  public void start() {
    started = true;
    thread.start();
  }

  /** Whether what was handed over is what the topic says: its end confirmed, no broker lost. */
  public boolean current() {
    return reader.confirmed(CURRENT_FOR);
  }

  /** Whether what the topic held when reading began was handed over. */
  public boolean caughtUp() {
    return reader.caughtUp();
  }

  /** Waits until what the topic said at this call was handed over; false if it took too long. */
  public boolean awaitCurrent(Duration limit) {
    return reader.awaitCaughtUp(limit) && current();
  }

  /** Waits until what was committed before this call was handed over; false if it took too long. */
  public boolean awaitCaughtUp(Duration limit) {
    return reader.awaitCaughtUp(limit);
  }

  /** Why the topic is no longer followed, in one sentence; null while all is well. */
  public @Nullable String failure() {
    if (failure == null && started && !closing && !thread.isAlive()) {
      return "the topic " + topic + " is no longer followed: its reader ended";
    }
    return failure;
  }

  @Override
  public void close() {
    closing = true;
    reader.close();
    if (!started) {
      return;
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void died(Thread thread, Throwable cause) {
    if (!closing) {
      failure = "the topic " + topic + " is no longer followed: " + cause.getMessage();
      LOG.error("the reader of {} stopped", topic, cause);
    }
  }
}
