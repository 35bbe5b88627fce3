package io.holdfast.service.model;

import io.holdfast.schemas.topic.CompactedTopicReader;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the model topic on a thread of its own and applies what it says to the {@link
 * ServedModels}. Apart from Kafka Streams on purpose: a model topic that cannot be read must not
 * stop the scoring of what already serves.
 */
public final class ModelLoader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ModelLoader.class);

  /** A reader that does well asks for the end every second or two. */
  private static final Duration CURRENT_FOR = Duration.ofSeconds(5);

  private final CompactedTopicReader reader;
  private final Thread thread;
  private volatile boolean started;
  private volatile boolean closing;
  private volatile @Nullable String failure;

  /** Does not start yet. */
  public ModelLoader(Map<String, String> kafka, String topic, ServedModels models) {
    this.reader = new CompactedTopicReader(kafka, topic, new Applying(models));
    this.thread =
        Thread.ofPlatform()
            .name("holdfast-model-loader")
            .uncaughtExceptionHandler(this::died)
            .unstarted(reader);
  }

  private record Applying(ServedModels models) implements CompactedTopicReader.Listener {
    @Override
    public void onRecord(ConsumerRecord<String, byte[]> record) {
      models.apply(record.key(), record.value(), record.timestamp());
    }

    @Override
    public void onEnd() {
      models.settle();
      models.tidy();
    }
  }

  /** Starts reading. */
  public void start() {
    started = true;
    thread.start();
  }

  /** Whether what serves is what the topic says: its end is confirmed, its broker not lost. */
  public boolean current() {
    return reader.confirmed(CURRENT_FOR);
  }

  /** Waits until what the topic said at this call is what serves; false if it took too long. */
  public boolean awaitCurrent(Duration limit) {
    return reader.awaitCaughtUp(limit) && current();
  }

  /** Why the topic is no longer followed, in one sentence; null while all is well. */
  public @Nullable String failure() {
    if (failure == null && started && !closing && !thread.isAlive()) {
      return "the model topic is no longer followed: its reader ended";
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
      failure = "the model topic is no longer followed: " + cause.getMessage();
      LOG.error("the model loader stopped", cause);
    }
  }
}
