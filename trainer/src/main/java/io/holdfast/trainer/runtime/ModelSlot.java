package io.holdfast.trainer.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A model that this process may train. Started and stopped by the membership's thread. */
final class ModelSlot {
  private final Function<ModelSession.Watch, Runnable> loop;
  private final ModelStatus status;
  private final ModelMetrics metrics;
  private volatile @Nullable Run run;

  private record Run(StopSignal stop, Thread thread) {}

  /** {@code loop} makes the life of the model's thread. */
  ModelSlot(
      ModelStatus status, MeterRegistry registry, Function<ModelSession.Watch, Runnable> loop) {
    this.loop = loop;
    this.status = status;
    metrics = new ModelMetrics(registry, status);
  }

  ModelStatus status() {
    return status;
  }

  /** Whether this process is to train the model. */
  boolean running() {
    Run now = run;
    return now != null && !now.stop().given();
  }

  /** Starts the model's thread, which first waits until an earlier one has ended. */
  void start() {
    Run earlier = run;
    var stop = new StopSignal();
    var watch = new ModelSession.Watch(status, metrics, stop, InstantSource.system());
    Runnable life = loop.apply(watch);
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("train-" + status.model())
            .unstarted(
                () -> {
                  if (earlier == null || ended(earlier.thread())) {
                    life.run();
                  }
                });
    run = new Run(stop, thread);
    status.enter(new ModelStatus.Phase.Starting());
    thread.start();
  }

  /** Tells the model's thread to end; does not wait for it. */
  void stop() {
    Run now = run;
    if (now != null) {
      now.stop().give();
      if (!now.thread().isAlive()) {
        status.enter(new ModelStatus.Phase.StandingBy()); // whatever it died of
      }
    }
  }

  /** Waits until the model's thread has ended, or {@code System.nanoTime()} is at the deadline. */
  void await(long deadlineNanos) {
    Run now = run;
    if (now == null) {
      return;
    }
    try {
      now.thread().join(Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean ended(Thread thread) {
    try {
      thread.join();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
