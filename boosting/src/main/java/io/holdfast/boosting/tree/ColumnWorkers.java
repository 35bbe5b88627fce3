package io.holdfast.boosting.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Does the same for each of many columns, on the caller's thread and some of its own. Owned by one
 * thread; to be closed.
 */
final class ColumnWorkers implements AutoCloseable {
  /*
   * Workers take the next column that nobody has taken, each in ascending order. Who takes which is
   * a matter of chance, so tasks must leave a result that does not depend on it. Waiting parks the
   * thread: the cores may be busy with others' work.
   */
  private final int workers;
  private final @Nullable ExecutorService executor;

  /** What is to be done with a column; workers are numbered from 0, the caller. */
  interface Task {
    void accept(int worker, int column);
  }

  ColumnWorkers(int workers) {
    this.workers = workers;
    executor =
        workers == 1
            ? null
            : Executors.newFixedThreadPool(
                workers - 1, Thread.ofPlatform().daemon().name("holdfast-columns-", 1).factory());
  }

  int count() {
    return workers;
  }

  /** Runs the task for every column, on the caller's thread only unless it pays to share. */
  void run(int[] columns, boolean share, Task task) {
    AtomicInteger next = new AtomicInteger();
    if (executor == null || !share) {
      work(0, columns, next, task);
      return;
    }
    List<Future<?>> others = new ArrayList<>();
    for (int worker = 1; worker < workers; worker++) {
      int number = worker;
      others.add(executor.submit(() -> work(number, columns, next, task)));
    }
    List<Throwable> failures = new ArrayList<>();
    try {
      work(0, columns, next, task);
    } finally {
      // All of them, whatever fails: they write to what the caller owns.
      for (Future<?> other : others) {
        await(other, failures);
      }
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException("a column worker failed", failures.getFirst());
    }
  }

  @Override
  public void close() {
    if (executor != null) {
      executor.close();
    }
  }

  private static void work(int worker, int[] columns, AtomicInteger next, Task task) {
    for (int k = next.getAndIncrement(); k < columns.length; k = next.getAndIncrement()) {
      task.accept(worker, columns[k]);
    }
  }

  /** Waits even if interrupted, and then interrupts the caller again. */
  private static void await(Future<?> other, List<Throwable> failures) {
    boolean interrupted = false;
    boolean done = false;
    while (!done) {
      try {
        other.get();
        done = true;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        failures.add(e.getCause());
        done = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
