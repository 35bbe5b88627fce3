package io.holdfast.service.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.topic.TopicInspector.Topic;
import io.holdfast.schemas.trouble.TroubleKind;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One topology over its whole life: waits for what it needs, starts it, and starts it again when it
 * has failed, with a pause that grows to 30 s. Whatever happens to it, the others go on.
 *
 * <p>Started and closed by one thread; asked by any. Its own thread is a virtual one.
 */
final class SupervisedTopology implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SupervisedTopology.class);
  private static final Duration TICK = Duration.ofMillis(200);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** Partitions may change hands, and the model topic be read, before it counts as not running. */
  private static final Duration REASSIGNMENT = Duration.ofSeconds(10);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

  private final String name;
  private final StreamsPlan plan;
  private final Runnable onChange;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Standing standing =
      new Standing.Waiting(new Obstacle(null, "it has not been started yet"));
  private Duration pause = FIRST_PAUSE; // of its thread

  /** {@code onChange} runs on its thread whenever the standing has changed, and now and then. */
  SupervisedTopology(StreamsPlan plan, Runnable onChange) {
    this.name = plan.applicationId();
    this.plan = plan;
    this.onChange = onChange;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::live);
  }

  void start() {
    thread.start();
  }

  Standing standing() {
    return standing;
  }

  /** Tells it to end, without waiting; {@link #close} waits. */
  void stop() {
    closed.countDown();
  }

  @Override
  public void close() {
    stop();
    try {
      if (thread.getState() != Thread.State.NEW && !thread.join(CLOSE_LIMIT)) {
        LOG.warn("{} did not end within {}", name, Sentence.time(CLOSE_LIMIT));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void live() {
    while (!isClosed()) {
      Obstacle obstacle = plan.beforeStart();
      if (obstacle == null) {
        attempt();
      } else {
        enter(
            standing instanceof Standing.Failed && obstacle.kind() == null
                ? standing
                : new Standing.Waiting(obstacle));
        await(TICK);
      }
    }
  }

  private void attempt() {
    if (!(standing instanceof Standing.Failed)) {
      enter(new Standing.Starting());
    }
    Throwable error = runOnce();
    if (error != null && !isClosed()) {
      Obstacle obstacle = plan.obstacle(error);
      boolean known =
          standing instanceof Standing.Failed(Obstacle before) && before.equals(obstacle);
      if (obstacle.kind() == TroubleKind.STOPPED && !known && !StreamsFailure.ofState(error)) {
        LOG.error("{} ended on an error that was not foreseen", name, error);
      }
      if (obstacle.kind() != TroubleKind.TOPIC) {
        enter(new Standing.Failed(obstacle)); // which topic, and what of it, is known after a look
      }
      plan.lookAgain();
      if (plan.beforeStart() == null) {
        enter(new Standing.Failed(obstacle));
        await(pause);
        pause = Collections.min(List.of(pause.multipliedBy(2), LONGEST_PAUSE));
      }
    }
  }

  /** From a start to its end; the error that ended it, or null. */
  @SuppressWarnings("IllegalCatch") // whatever goes wrong is said, and tried again; also libraries
  private @Nullable Throwable runOnce() {
    try (StreamsRun run = plan.open()) {
      run.start();
      return follow(run, plan.topics());
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  private @Nullable Throwable follow(StreamsRun run, Map<String, Topic> topics) {
    long started = System.nanoTime();
    long ran = started;
    var clock = new ClockSteps(Time.SYSTEM);
    while (!isClosed()) {
      Throwable error = run.failure();
      if (error != null) {
        return error;
      }
      Obstacle obstacle = plan.whileRunning();
      if (obstacle != null) {
        enter(new Standing.Waiting(obstacle));
        return null;
      }
      if (!topics.equals(plan.topics())) {
        // Clients would find new partitions by themselves, each within five minutes.
        LOG.info("{} starts again: one of its topics was made anew, or has more partitions", name);
        return null;
      }
      Duration back = clock.setBack();
      if (back.isPositive()) {
        LOG.warn("{} starts again: this machine's clock was set back by {}", name, back);
        return null;
      }
      long now = System.nanoTime();
      boolean running = run.running();
      if (running && !run.held()) {
        ran = now;
        enter(new Standing.Running());
        if (now - started > LONGEST_PAUSE.toNanos()) {
          pause = FIRST_PAUSE;
        }
      } else if (standing instanceof Standing.Running && now - ran <= REASSIGNMENT.toNanos()) {
        onChange.run();
      } else if (running) {
        enter(new Standing.Held());
      } else if (standing instanceof Standing.Running) {
        enter(new Standing.Starting());
      }
      run.lookAtOthers(running);
      await(TICK);
    }
    return null;
  }

  private void enter(Standing next) {
    standing = next;
    onChange.run();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void await(Duration duration) {
    try {
      var _ = closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    }
  }
}
