package io.holdfast.service.runtime;

import io.holdfast.schemas.topic.TopicFollower;
import io.holdfast.service.score.Intake;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/**
 * Holds a scoring client's records back until what serves is what the model topic says: whenever
 * partitions are assigned, since whoever had them may have scored by a newer version, and when the
 * model topic's broker was lost. Thread-safe.
 */
final class ModelTopicGate implements Intake, AutoCloseable {
  /*
   * A paused client polls and keeps its place in the group, and commits what it has processed, but
   * processes nothing: so a wait may be as long as it has to. It is paused on the stream thread,
   * before the records in question are processed, and resumed by a thread of the gate, once the
   * topic has been read to where it ended after the newest hold.
   */
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final long RETRY_MILLIS = 100;

  private final TopicFollower loader;
  private @Nullable KafkaStreams streams;
  private long holds;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean held;

  ModelTopicGate(TopicFollower loader) {
    this.loader = loader;
  }

  /** Before the client is started. */
  synchronized void attach(KafkaStreams client) {
    streams = client;
    Thread.ofVirtual().name("model-topic-gate").start(this::releaseWhenCurrent);
  }

  /** Whether records wait, or would if there were any. */
  boolean holds() {
    return held || !loader.current();
  }

  @Override
  public void onAssigned() {
    hold();
  }

  @Override
  public boolean onPolled() {
    if (held) {
      return false;
    }
    if (loader.current()) {
      return true;
    }
    hold();
    return false;
  }

  private synchronized void hold() {
    if (streams != null) {
      streams.pause();
      held = true;
      holds++;
      notifyAll();
    }
  }

  private void releaseWhenCurrent() {
    try {
      for (long hold = awaitHold(); hold > 0; hold = awaitHold()) {
        if (loader.awaitCurrent(LIMIT)) {
          release(hold);
        } else {
          boolean _ = closed.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The number of the newest hold, once there is one; 0 when it is closed. */
  private synchronized long awaitHold() throws InterruptedException {
    while (!held && closed.getCount() > 0) {
      wait();
    }
    return closed.getCount() > 0 ? holds : 0;
  }

  /** Unless it was held anew since. */
  private synchronized void release(long hold) {
    if (hold == holds && streams != null) {
      held = false;
      streams.resume();
    }
  }

  @Override
  public synchronized void close() {
    closed.countDown();
    notifyAll();
  }
}
