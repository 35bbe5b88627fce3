package io.holdfast.boosting.numeric;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Runs tasks on the caller's thread and on its own. Owned by one thread; to be closed. */
public final class Workers implements AutoCloseable {
  /*
   * Workers take the next untaken task, in ascending order. Which one takes which is not determined,
   * so results must not depend on it.
   *
   * Training shares out many jobs of some ten microseconds, one right after the other, and to wake a
   * parked thread takes about as long. So a worker spins for a while before it parks, and so does the
   * caller that waits for the last task. Nobody waits for a worker that is late: the caller does the
   * tasks itself.
   */
  private static final long LOOK_OUT_NANOS = 60_000;
  private static final int LOOKS = 64; // between two looks at the time
  private static final int FEWEST_ROWS = 4_096; // of a stretch: some microseconds
  private static final int STRETCHES = 4; // a worker, so that a late one does fewer
  private static final int BLOCK = 512; // stretches begin at multiples of it

  private final Worker[] others;
  private volatile @Nullable Job job;
  private volatile boolean closed;

  /** Workers are numbered from 0, the caller. */
  public interface Task {
    void accept(int worker, int task);
  }

  /** Work on {@code [from, to)}. */
  public interface Stretch {
    void accept(int worker, int from, int to);
  }

  /** That many workers, the caller counted. */
  public Workers(int workers) {
    others = new Worker[workers - 1];
    for (int k = 0; k < others.length; k++) {
      others[k] = new Worker(k + 1);
      others[k].thread.start();
    }
  }

  /** The number of workers, the caller counted. */
  public int count() {
    return others.length + 1;
  }

  /**
   * Runs tasks 0 to {@code tasks - 1}, on the caller's thread only unless {@code share}.
   *
   * @throws IllegalStateException if a task fails on another thread; what one throws on the
   *     caller's is thrown as it is. The other tasks run all the same
   */
  public void run(int tasks, boolean share, Task task) {
    if (others.length == 0 || !share || tasks <= 1) {
      for (int k = 0; k < tasks; k++) {
        task.accept(0, k);
      }
      return;
    }
    Job shared = new Job(tasks, task);
    job = shared;
    for (Worker other : others) {
      if (other.parked) {
        LockSupport.unpark(other.thread);
      }
    }
    shared.work(0);
    shared.await();
    shared.rethrow();
  }

  /** Runs a task on stretches of {@code [from, to)}; on all of it if rows or workers are few. */
  public void rows(int from, int to, Stretch stretch) {
    rows(from, to, FEWEST_ROWS, stretch);
  }

  /** As above, of {@code fewest} rows a stretch or more. */
  public void rows(int from, int to, int fewest, Stretch stretch) {
    int size = to - from;
    int count = Math.min(STRETCHES * count(), size / fewest);
    if (others.length == 0 || count <= 1) {
      stretch.accept(0, from, to);
      return;
    }
    int each = (size / count + BLOCK - 1) / BLOCK * BLOCK;
    int stretches = (size + each - 1) / each;
    run(
        stretches,
        true,
        (worker, k) ->
            stretch.accept(worker, from + k * each, Math.min(to, from + (k + 1) * each)));
  }

  @Override
  public void close() {
    closed = true;
    for (Worker other : others) {
      LockSupport.unpark(other.thread);
    }
    boolean interrupted = false;
    for (Worker other : others) {
      while (other.thread.isAlive()) {
        try {
          other.thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tasks that are shared out once. */
  private static final class Job {
    private final int tasks;
    private final Task task;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger left;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean failedHere; // on the caller's thread
    private volatile boolean parked; // the caller

    Job(int tasks, Task task) {
      this.tasks = tasks;
      this.task = task;
      left = new AtomicInteger(tasks);
    }

    @SuppressWarnings("IllegalCatch") // whatever fails, the caller must hear of it, and not wait
    void work(int worker) {
      for (int k = next.getAndIncrement(); k < tasks; k = next.getAndIncrement()) {
        try {
          task.accept(worker, k);
        } catch (Throwable e) {
          if (failure.compareAndSet(null, e)) {
            failedHere = worker == 0;
          }
        }
        if (left.decrementAndGet() == 0 && parked) {
          LockSupport.unpark(caller);
        }
      }
    }

    /** Waits for the last task, even if interrupted, and then interrupts the caller again. */
    void await() {
      long start = System.nanoTime();
      for (int looks = 1; left.get() > 0; looks++) {
        Thread.onSpinWait();
        if (looks % LOOKS == 0 && System.nanoTime() - start > LOOK_OUT_NANOS) {
          break;
        }
      }
      boolean interrupted = false;
      parked = true;
      while (left.get() > 0) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    void rethrow() {
      switch (failure.get()) {
        case null -> {}
        case RuntimeException unchecked when failedHere -> throw unchecked;
        case Error error when failedHere -> throw error;
        case Throwable other -> throw new IllegalStateException("a worker failed", other);
      }
    }
  }

  private final class Worker {
    private final int number;
    private final Thread thread;
    private volatile boolean parked;

    Worker(int number) {
      this.number = number;
      thread =
          Thread.ofPlatform().daemon().name("holdfast-training-" + number).unstarted(this::work);
    }

    private void work() {
      Job done = null;
      long since = System.nanoTime();
      for (int looks = 1; !closed; looks++) {
        Job next = job;
        if (next != null && next != done) {
          next.work(number);
          done = next;
          since = System.nanoTime();
        } else if (looks % LOOKS == 0 && System.nanoTime() - since > LOOK_OUT_NANOS) {
          park(done);
          since = System.nanoTime();
        } else {
          Thread.onSpinWait();
        }
      }
    }

    private void park(@Nullable Job done) {
      parked = true;
      while (job == done && !closed) {
        LockSupport.park(Workers.this);
      }
      parked = false;
    }
  }
}
