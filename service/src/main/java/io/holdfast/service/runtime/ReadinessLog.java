package io.holdfast.service.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when a service becomes ready, and when it is no longer, with the reasons. */
final class ReadinessLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadinessLog.class);
  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final Supplier<List<String>> awaited;
  private final Supplier<List<String>> scored;
  private final CountDownLatch closed = new CountDownLatch(1);
  private String said = "";

  /**
   * Does not look yet.
   *
   * @param awaited what is waited for before the service is ready, a sentence each
   * @param scored the models whose records are scored
   */
  ReadinessLog(Supplier<List<String>> awaited, Supplier<List<String>> scored) {
    this.awaited = awaited;
    this.scored = scored;
  }

  void start() {
    Thread.ofVirtual().name("holdfast-readiness").start(this::follow);
  }

  private void follow() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    List<String> sentences = awaited.get();
    String now =
        sentences.isEmpty()
            ? "ready: records of " + String.join(", ", scored.get()) + " are scored"
            : "not ready: " + String.join("; ", sentences);
    if (!now.equals(said)) {
      said = now;
      LOG.info("{}", now);
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
