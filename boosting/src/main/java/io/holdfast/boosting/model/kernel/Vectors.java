package io.holdfast.boosting.model.kernel;

import io.holdfast.boosting.numeric.VectorModule;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether vector loops serve in this JVM. Thread-safe.
 *
 * <p>They are there if the JVM was started with {@code --add-modules jdk.incubator.vector} on a
 * machine whose vectors have at least 256 bits; only loops that fit this width serve. Until they
 * are compiled they are far slower than plain loops, so a thread of its own runs them first, from
 * the first compiled model on; they serve once they win against the plain loops there, and never
 * otherwise.
 */
public final class Vectors {
  private static final int NARROW = 256;
  private static final int WIDE = 512;
  private static final AtomicBoolean STARTED = new AtomicBoolean();
  private static final CountDownLatch DONE = new CountDownLatch(1);
  private static volatile boolean rows;
  private static volatile boolean blocks;

  private Vectors() {}

  /** What is known of this JVM from its start. */
  private static final class Here {
    static final int BITS = VectorModule.present() ? VectorLanes.bits() : 0;
  }

  /** Whether vector loops can run here at all: vectors have 256 bits or more. */
  public static boolean present() {
    return Here.BITS >= NARROW;
  }

  /** Whether vectors have 512 bits. */
  public static boolean wide() {
    return Here.BITS >= WIDE;
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
      var warmUp = new VectorWarmUp();
      rows = warmUp.rowsWin();
      blocks = warmUp.blocksWin();
    } finally {
      DONE.countDown();
    }
  }
}
