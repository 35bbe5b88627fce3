package io.holdfast.boosting.scoring;

import io.holdfast.boosting.numeric.VectorForms;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether rows and blocks are scored by vectors in this JVM: the one place that chooses, once, by
 * one trial. Thread-safe.
 *
 * <p>Vectors are there if the JVM was started with {@code --add-modules jdk.incubator.vector} on a
 * machine whose vectors have 256 or 512 bits. Until their loops are compiled they are far slower
 * than plain loops, so a thread of its own runs them first, from the first compiled model on; they
 * serve once they win against the plain loops there, and never otherwise.
 */
public final class Vectors {
  private static final int LEAST_BITS = 256;
  private static final int MOST_BITS = 512;
  private static final AtomicBoolean STARTED = new AtomicBoolean();
  private static final CountDownLatch DONE = new CountDownLatch(1);
  private static volatile boolean rows;
  private static volatile boolean blocks;

  private Vectors() {}

  /** What is known of this JVM from its start. */
  private static final class Here {
    static final int BITS = VectorForms.present() ? VectorLanes.bits() : 0;
  }

  /** Whether vector loops can run here at all. */
  public static boolean present() {
    return Here.BITS >= LEAST_BITS && Here.BITS <= MOST_BITS;
  }

  /** Whether single rows are scored by vectors now. */
  public static boolean serveRows() {
    return rows;
  }

  /** Whether blocks of rows are scored by vectors now. */
  public static boolean serveBlocks() {
    return blocks;
  }

  /**
   * Starts to compile vector loops in the background, if they are there and it was not done yet.
   */
  public static void warmUp() {
    if (present() && STARTED.compareAndSet(false, true)) {
      Thread thread =
          Thread.ofPlatform().name("holdfast-vector-warm-up").daemon().unstarted(Vectors::run);
      thread.start();
    }
  }

  /**
   * Waits until it is settled what vectors serve.
   *
   * @return whether it is settled
   */
  public static boolean awaitWarmUp(long timeout, TimeUnit unit) throws InterruptedException {
    warmUp();
    return !present() || DONE.await(timeout, unit);
  }

  private static void run() {
    try {
      var trial = new ScoringTrial();
      rows = trial.rowsWin();
      blocks = trial.blocksWin();
      System.getLogger(Vectors.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "Scoring by vectors of {0} bits: single rows {1}, blocks {2}",
              Here.BITS,
              rows,
              blocks);
    } finally {
      DONE.countDown();
    }
  }
}
