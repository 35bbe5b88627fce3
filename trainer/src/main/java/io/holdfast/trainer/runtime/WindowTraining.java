package io.holdfast.trainer.runtime;

import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.Window;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Trains on a window in a thread of its own, so that the reading thread, which owns this, can read
 * on. A decision changes nothing, so the outcome is the same.
 */
final class WindowTraining implements AutoCloseable {
  /** So long a window is waited for without reading on. */
  private static final Duration SHORT = Duration.ofMillis(100);

  private static final Duration IDLE = Duration.ofSeconds(10);

  private final ExecutorService thread;

  WindowTraining(String model) {
    ThreadPoolExecutor one =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("holdfast-training-" + model).factory());
    one.allowCoreThreadTimeOut(true);
    thread = one;
  }

  /**
   * Decides on a window. If the calling thread is interrupted, or {@code readOn} throws, training
   * ends after the current round.
   *
   * @param readOn reads a little more; called until training is done
   * @return null if the calling thread was interrupted, and still is
   */
  TrainerEvent.@Nullable Concluded decide(
      TrainerCore core, Window window, InstantSource time, Runnable readOn) {
    Future<TrainerEvent.Concluded> training = thread.submit(() -> core.decide(window, time));
    try {
      TrainerEvent.Concluded soon = within(SHORT, training);
      while (soon == null) {
        readOn.run();
        soon = within(Duration.ZERO, training);
      }
      return soon;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      training.cancel(true); // of no effect once it is done
    }
  }

  private static TrainerEvent.@Nullable Concluded within(
      Duration limit, Future<TrainerEvent.Concluded> training) throws InterruptedException {
    try {
      return training.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException("training failed", e);
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
