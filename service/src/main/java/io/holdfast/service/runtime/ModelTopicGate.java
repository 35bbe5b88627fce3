package io.holdfast.service.runtime;

import io.holdfast.service.model.ModelLoader;
import io.holdfast.service.score.Intake;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

  private final ModelLoader loader;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable KafkaStreams streams;
  private long holds;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean held;

  ModelTopicGate(ModelLoader loader) {
    this.loader = loader;
  }

  /** Before the client is started. */
  void attach(KafkaStreams client) {
    lock.lock();
    try {
      streams = client;
    } finally {
      lock.unlock();
    }
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

  private void hold() {
    lock.lock();
    try {
      if (streams != null) {
        streams.pause();
        held = true;
        holds++;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void releaseWhenCurrent() {
    try {
      long hold = awaitHold();
      while (hold > 0) {
        if (loader.awaitCurrent(LIMIT)) {
          release(hold);
        } else {
          boolean _ = closed.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
        hold = awaitHold();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The number of the newest hold, once there is one; 0 when it is closed. */
  private long awaitHold() throws InterruptedException {
    lock.lock();
    try {
      while (!held && closed.getCount() > 0) {
        changed.await();
      }
      return closed.getCount() > 0 ? holds : 0;
    } finally {
      lock.unlock();
    }
  }

  /** Unless it was held anew since. */
  private void release(long hold) {
    lock.lock();
    try {
      if (hold == holds && streams != null) {
        held = false;
        streams.resume();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
