package io.holdfast.trainer.runtime;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * One model of the settings, which this process trains or stands by for. Started and stopped by one
 * thread, the membership's; read by any.
 */
final class ModelSlot {
  private final ModelSettings model;
  private final Settings.SharedTopics shared;
  private final KafkaAccess kafka;
  private final Ownership ownership;
  private final ModelStatus status;
  private final ModelMetrics metrics;
  private volatile @Nullable Run run;

  private record Run(StopSignal stop, Thread thread) {}

  ModelSlot(
      ModelSettings model,
      Settings.SharedTopics shared,
      KafkaAccess kafka,
      Ownership ownership,
      ModelStatus status,
      MeterRegistry registry) {
    this.model = model;
    this.shared = shared;
    this.kafka = kafka;
    this.ownership = ownership;
    this.status = status;
    metrics = new ModelMetrics(registry, status);
  }

  ModelStatus status() {
    return status;
  }

  /** Whether it is this process's to train. */
  boolean running() {
    Run now = run;
    return now != null && !now.stop().given();
  }

  /** Starts the model's thread. It waits until an earlier one, if any, has ended. */
  void start() {
    Run earlier = run;
    var stop = new StopSignal();
    var watch = new ModelSession.Watch(status, metrics, stop, InstantSource.system());
    var loop = new ModelLoop(model, shared, kafka, ownership, watch);
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("train-" + model.name())
            .unstarted(
                () -> {
                  if (earlier == null || ended(earlier.thread())) {
                    loop.run();
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
        status.enter(new ModelStatus.Phase.StandingBy()); // what it died of is others' concern now
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
