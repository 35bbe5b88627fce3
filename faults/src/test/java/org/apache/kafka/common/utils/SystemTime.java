package org.apache.kafka.common.utils;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Kafka's clock, in the place of its own, for processes whose clock a test sets: so many
 * milliseconds as stand in the file {@code holdfast.faults.clock} it is ahead of the machine's.
 * Thread-safe.
 */
final class SystemTime implements Time {
  private static final SystemTime SYSTEM_TIME = new SystemTime();

  private final InstantSource clock = InstantSource.system();
  private volatile long ahead;

  private SystemTime() {
    String file = System.getProperty("holdfast.faults.clock");
    if (file != null) {
      Thread.ofPlatform().daemon().name("clock").start(() -> follow(Path.of(file)));
    }
  }

  /** Kafka asks for it by this name. */
  public static SystemTime getSystemTime() {
    return SYSTEM_TIME;
  }

  private void follow(Path file) {
    while (true) {
      try {
        ahead = Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
      } catch (IOException | NumberFormatException e) {
        // It is being written.
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  @Override
  public long milliseconds() {
    return clock.millis() + ahead;
  }

  @Override
  public long nanoseconds() {
    return System.nanoTime();
  }

  @Override
  public void sleep(long millis) {
    Utils.sleep(millis);
  }

  @Override
  public void waitObject(Object on, Supplier<Boolean> condition, long deadline)
      throws InterruptedException {
    synchronized (on) {
      while (!condition.get()) {
        long left = deadline - milliseconds();
        if (left <= 0) {
          throw new TimeoutException("Condition not satisfied before deadline");
        }
        on.wait(left);
      }
    }
  }
}
