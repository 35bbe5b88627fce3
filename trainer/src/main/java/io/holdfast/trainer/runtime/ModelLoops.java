package io.holdfast.trainer.runtime;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The threads of all models. Thread-safe. */
@Singleton
final class ModelLoops {
  /** A window may be in training when the signal comes; the thread is a daemon, so no longer. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final List<StopSignal> stops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<ModelStatus> statuses = new ArrayList<>();

  ModelLoops(Settings settings, KafkaAccess kafka, MeterRegistry registry) {
    for (ModelSettings model : settings.models().values()) {
      var status = new ModelStatus(model.name());
      var stop = new StopSignal();
      var watch =
          new ModelSession.Watch(
              status, new ModelMetrics(registry, status), stop, InstantSource.system());
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("train-" + model.name())
              .unstarted(new ModelLoop(model, settings.topics(), kafka, watch)));
      statuses.add(status);
      stops.add(stop);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** How every model is doing, in the order of the settings. */
  List<ModelStatus> statuses() {
    return List.copyOf(statuses);
  }

  /** Whether every model's thread has found out where to go on, and reads examples. */
  boolean ready() {
    return statuses.stream()
        .allMatch(status -> status.phase() instanceof ModelStatus.Phase.Learning);
  }

  /** Whether no model's thread has ended that should not have. */
  boolean alive() {
    return statuses.stream().noneMatch(status -> status.phase() instanceof ModelStatus.Phase.Dead);
  }

  /** Stops all threads and waits for them. */
  @PreDestroy
  void stop() {
    for (StopSignal stop : stops) {
      stop.give();
    }
    long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    for (Thread thread : threads) {
      if (thread.getState() == Thread.State.NEW) {
        continue; // the port was taken, say, and nothing was started
      }
      try {
        thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
