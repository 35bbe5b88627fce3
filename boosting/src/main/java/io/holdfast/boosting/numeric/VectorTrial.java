package io.holdfast.boosting.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Finds out whether loops by vectors are compiled and faster than scalar ones. To be asked on a
 * thread that nobody waits for.
 */
public final class VectorTrial {
  /*
   * Vector code that is not compiled yet is some hundred times slower than scalar code, so it is
   * never met by who waits for a tree. Both ways are run on made-up numbers until vectors win and are
   * no objects any more: now and then the compiler leaves some of them on the heap, which is 24 MB for
   * a window of 40,000 rows (seen). If that does not happen within some ten seconds, things are left
   * as they are.
   */
  private static final int ROUNDS = 20_000;
  private static final int WINS = 20; // rounds won; one that is lost takes two back
  private static final long MOST_BYTES = 2_400; // of a round: what counting them may take

  /*
   * The trials of all loops take some ten seconds of processor time, the compiler's above all, and
   * at a start everything else waits for the compiler, too: a trainer of small windows spent 50 s of
   * processor time in its first half minute, of which 30 were for vectors. So they begin once scalar
   * loops have done a second or more of work.
   */
  private static final long WORTH = 250_000_000; // cells of roots of trees

  private static final AtomicLong WORKED = new AtomicLong();
  private static final List<Thread> WAITING = new ArrayList<>();

  private VectorTrial() {}

  /** Runs a trial on a thread of its own, once so much was {@link #worked} that it may pay. */
  public static void begin(String name, Runnable trial) {
    Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(trial);
    synchronized (WAITING) {
      if (WORKED.get() < WORTH) {
        WAITING.add(thread);
        return;
      }
    }
    thread.start();
  }

  /** Runs all trials from now on, for who knows that it will train for long. */
  public static void beginAll() {
    worked(WORTH);
  }

  /** Counts the work of a tree: of each row, a cell a column. */
  public static void worked(long cells) {
    long before = WORKED.get();
    if (before < WORTH && WORKED.addAndGet(cells) >= WORTH) {
      synchronized (WAITING) {
        WAITING.forEach(Thread::start);
        WAITING.clear();
      }
    }
  }

  /**
   * Runs both ways in turn, and says whether vectors won.
   *
   * @param kinds of loops: a run is told which, from 0 on, and is to take some ten microseconds
   */
  public static boolean won(int kinds, IntConsumer scalar, IntConsumer vectors) {
    int wins = 0;
    for (int round = 0; round < ROUNDS && wins < WINS; round++) {
      int kind = round % kinds;
      long plain = nanos(scalar, kind);
      long allocated = AllocatedBytes.ofThisThread();
      boolean faster = nanos(vectors, kind) < plain;
      allocated = AllocatedBytes.ofThisThread() - allocated;
      if (allocated >= MOST_BYTES) {
        wins = 0;
      } else {
        // A round may be lost to another program that had the processor meanwhile.
        wins = faster ? wins + 1 : Math.max(0, wins - 2);
      }
    }
    return wins == WINS;
  }

  private static long nanos(IntConsumer run, int kind) {
    long start = System.nanoTime();
    run.accept(kind);
    return System.nanoTime() - start;
  }
}
