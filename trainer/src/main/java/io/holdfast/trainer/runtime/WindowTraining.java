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
 * Trains on a window beside the thread that reads, so that this can read on meanwhile: what comes
 * is the same, for a decision changes nothing. Owned by the reading thread.
 */
final class WindowTraining implements AutoCloseable {
  /** A window that takes no longer than this is waited for: nothing is gained by reading on. */
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
   * ends after the round at hand.
   *
   * @param readOn reads a little more, again and again until training is done
   * @return null if the calling thread was interrupted, and is
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
