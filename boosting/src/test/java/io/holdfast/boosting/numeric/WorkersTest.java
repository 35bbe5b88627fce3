package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {
  private static final int TASKS = 20;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 20})
  void run_anyWorkers_everyTaskOnce(int threads) {
    try (var workers = new Workers(threads)) {
      for (boolean share : new boolean[] {true, false}) {
        var times = new AtomicIntegerArray(20);
        workers.run(
            TASKS,
            share,
            (worker, task) -> {
              assertThat(worker).isBetween(0, share ? threads - 1 : 0);
              times.incrementAndGet(task);
            });
        for (int task = 0; task < 20; task++) {
          assertThat(times.get(task)).isOne();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 4_096, 9_000, 100_001})
  void rows_anySize_eachRowOnce(int size) {
    for (int threads = 1; threads <= 3; threads++) {
      try (var workers = new Workers(threads)) {
        var times = new AtomicIntegerArray(size + 7);
        workers.rows(
            7,
            size + 7,
            (worker, from, to) -> {
              for (int row = from; row < to; row++) {
                times.incrementAndGet(row);
              }
            });
        for (int row = 0; row < size + 7; row++) {
          assertThat(times.get(row)).isEqualTo(row < 7 ? 0 : 1);
        }
      }
    }
  }

  /** Whether it is awake, asleep or at work still, the other thread sees what the caller wrote. */
  @Test
  void run_manyJobs_allDoneWhenItReturns() {
    try (var workers = new Workers(2)) {
      int[] sums = new int[TASKS];
      for (int job = 0; job < 20_000; job++) {
        int added = job % 3;
        workers.run(TASKS, true, (worker, task) -> sums[task] += added);
        if (job % 5_000 == 0) {
          LockSupport.parkNanos(1_000_000); // long enough for the other to park
        }
      }
      assertThat(sums).containsOnly(19_999);
    }
  }

  @Test
  void run_taskFailsOnCallersThread_isThrownAsItIs() {
    try (var workers = new Workers(2)) {
      var bothStarted = new CountDownLatch(2);
      assertThatThrownBy(
              () ->
                  workers.run(
                      2,
                      true,
                      (worker, task) -> {
                        bothStarted.countDown();
                        await(bothStarted);
                        if (worker == 0) {
                          throw new ArithmeticException("of the caller");
                        }
                      }))
          .isInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void run_shared_isDoneByOtherThreadsToo() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    var bothStarted = new CountDownLatch(2);
    try (var workers = new Workers(2)) {
      workers.run(
          2,
          true,
          (worker, task) -> {
            threads.add(Thread.currentThread());
            bothStarted.countDown();
            await(bothStarted);
          });
    }
    assertThat(threads).hasSize(2).contains(Thread.currentThread());
  }

  @Test
  void run_taskFails_callerHearsOfIt() {
    try (var workers = new Workers(2)) {
      var bothStarted = new CountDownLatch(2);
      assertThatThrownBy(
              () ->
                  workers.run(
                      2,
                      true,
                      (worker, task) -> {
                        bothStarted.countDown();
                        await(bothStarted);
                        if (worker == 1) {
                          throw new ArithmeticException("of a worker");
                        }
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("of a worker");
      workers.run(TASKS, true, (worker, task) -> {}); // and is none the worse for it
    }
  }

  @Test
  void run_callerInterrupted_finishesAndStaysInterrupted() {
    try (var workers = new Workers(2)) {
      var times = new AtomicIntegerArray(20);
      Thread.currentThread().interrupt();
      workers.run(TASKS, true, (worker, task) -> times.incrementAndGet(task));
      assertThat(Thread.interrupted()).isTrue();
      for (int task = 0; task < TASKS; task++) {
        assertThat(times.get(task)).isOne();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
