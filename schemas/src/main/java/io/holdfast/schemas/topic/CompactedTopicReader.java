package io.holdfast.schemas.topic;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * SKELETON: reads one single-partition compacted topic from its beginning, committed records only,
 * and follows it. {@link #run} is one thread's whole life; the other methods may be called from any
 * thread.
 */
public final class CompactedTopicReader implements Runnable, AutoCloseable {

  /** What is done with each record, on the reading thread. */
  @FunctionalInterface
  public interface Listener {
    void onRecord(ConsumerRecord<String, byte[]> record);
  }

  public CompactedTopicReader(Map<String, String> kafka, String topic, Listener listener) {}

  /** Reads until closed. */
  @Override
  public void run() {}

  /** Whether everything that was committed when reading began has been handed to the listener. */
  public boolean caughtUp() {
    return false;
  }

  /**
   * Waits until everything committed before this call has been handed to the listener.
   *
   * @return false if that took longer than {@code limit}
   */
  public boolean awaitCaughtUp(Duration limit) {
    return limit.isZero();
  }

  /** Reads on the calling thread until everything committed before this call was handed over. */
  public void readToEnd(Duration limit) {}

  @Override
  public void close() {}
}
