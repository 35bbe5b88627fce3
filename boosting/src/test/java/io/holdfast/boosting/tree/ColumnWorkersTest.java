package io.holdfast.boosting.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnWorkersTest {
  private static final int[] COLUMNS = {2, 3, 5, 7, 11, 13, 17, 19};

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 20})
  void run_anyWorkers_everyColumnOnce(int threads) {
    try (var workers = new ColumnWorkers(threads)) {
      for (boolean share : new boolean[] {true, false}) {
        var times = new AtomicIntegerArray(20);
        workers.run(
            COLUMNS,
            share,
            (worker, column) -> {
              assertThat(worker).isBetween(0, share ? threads - 1 : 0);
              times.incrementAndGet(column);
            });
        for (int column = 0; column < 20; column++) {
          int expected = Arrays.binarySearch(COLUMNS, column) >= 0 ? 1 : 0;
          assertThat(times.get(column)).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void run_shared_isDoneByOtherThreadsToo() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    var bothStarted = new CountDownLatch(2);
    try (var workers = new ColumnWorkers(2)) {
      workers.run(
          new int[] {0, 1},
          true,
          (worker, column) -> {
            threads.add(Thread.currentThread());
            bothStarted.countDown();
            await(bothStarted);
          });
    }
    assertThat(threads).hasSize(2).contains(Thread.currentThread());
  }

  @Test
  void run_taskFails_callerHearsOfIt() {
    try (var workers = new ColumnWorkers(2)) {
      var bothStarted = new CountDownLatch(2);
      assertThatThrownBy(
              () ->
                  workers.run(
                      new int[] {0, 1},
                      true,
                      (worker, column) -> {
                        bothStarted.countDown();
                        await(bothStarted);
                        if (worker == 1) {
                          throw new ArithmeticException("of a worker");
                        }
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("of a worker");
      workers.run(COLUMNS, true, (worker, column) -> {}); // and is none the worse for it
    }
  }

  @Test
  void run_callerInterrupted_finishesAndStaysInterrupted() {
    try (var workers = new ColumnWorkers(2)) {
      var times = new AtomicIntegerArray(20);
      Thread.currentThread().interrupt();
      workers.run(COLUMNS, true, (worker, column) -> times.incrementAndGet(column));
      assertThat(Thread.interrupted()).isTrue();
      for (int column : COLUMNS) {
        assertThat(times.get(column)).isOne();
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
