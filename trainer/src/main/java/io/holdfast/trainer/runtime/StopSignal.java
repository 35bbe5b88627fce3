package io.holdfast.trainer.runtime;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a model's thread to stop, wherever it waits. Thread-safe. */
final class StopSignal {
  private final CountDownLatch latch = new CountDownLatch(1);
  private @Nullable Consumer<?, ?> waiting;

  /** Twice a wait, up to the longest: exponential backoff. */
  static Duration doubled(Duration wait, Duration longest) {
    return Collections.min(List.of(wait.multipliedBy(2), longest));
  }

  /** Asks the thread to stop; may be called again. */
  void give() {
    latch.countDown();
    synchronized (this) {
      if (waiting != null) {
        waiting.wakeup();
      }
    }
  }

  boolean given() {
    return latch.getCount() == 0;
  }

  /** Sets the consumer that the thread waits in, which the signal wakes up; null for none. */
  synchronized void waitsIn(@Nullable Consumer<?, ?> consumer) {
    waiting = consumer;
    if (consumer != null && given()) {
      consumer.wakeup();
    }
  }

  /** Waits for the signal at most that long; whether it was given. */
  boolean await(Duration limit) {
    try {
      return latch.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      latch.countDown(); // an interrupt means the same
      return true;
    }
  }
}
