package io.holdfast.cli.options;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a command running until the process is told to stop (Ctrl-C, SIGTERM), and holds the end of
 * the process back until it is closed: a broker or a topology that is cut off in the middle takes
 * longer to start again. Open it first, so that it closes last. Thread-safe.
 */
public final class Foreground implements AutoCloseable {
  private static final Duration CLEAN_UP_LIMIT = Duration.ofSeconds(60);

  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch cleaned = new CountDownLatch(1);

  private volatile @Nullable Thread starting;

  private Foreground(@Nullable Thread starting) {
    this.starting = starting;
  }

  public static Foreground open() {
    return open(null);
  }

  /** The same, for a thread that is interrupted if it is still starting something then. */
  public static Foreground openToStart() {
    return open(Thread.currentThread());
  }

  private static Foreground open(@Nullable Thread starting) {
    Foreground foreground = new Foreground(starting);
    Runtime.getRuntime().addShutdownHook(new Thread(foreground::hold, "holdfast-stop"));
    return foreground;
  }

  private void hold() {
    stopping.countDown();
    Thread waiting = starting;
    if (waiting != null) {
      waiting.interrupt(); // it may wait for a broker that does not answer
    }
    try {
      var _ = cleaned.await(CLEAN_UP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public void await() {
    starting = null;
    if (stopping()) {
      var _ = Thread.interrupted(); // what was started is to be closed in peace
      return;
    }
    try {
      stopping.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean stopping() {
    return stopping.getCount() == 0;
  }

  @Override
  public void close() {
    cleaned.countDown();
  }
}
