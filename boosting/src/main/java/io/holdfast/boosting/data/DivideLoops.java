package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.VectorModule;
import io.holdfast.boosting.numeric.VectorTrial;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which loop divides rows: the scalar one, and from when it is compiled and faster the one by
 * vectors, if the machine and the virtual machine's options have them. Both leave the same, so when
 * it changes is nobody's concern.
 */
final class DivideLoops {
  private static final DivideLoop SCALAR = new ScalarDivideLoop();
  private static volatile DivideLoop current = SCALAR;

  static {
    DivideLoop vectors = vectors();
    if (vectors != null) {
      VectorTrial.begin("holdfast-divide-warm-up", () -> warmUp(vectors));
    }
  }

  private DivideLoops() {}

  /** The best there is at the moment. */
  static DivideLoop current() {
    return current;
  }

  /** The loop by vectors, compiled or not; null if there is none. */
  static @Nullable DivideLoop vectors() {
    return VectorModule.present() && VectorDivideLoop.supported() ? new VectorDivideLoop() : null;
  }

  private static void warmUp(DivideLoop vectors) {
    var sample = new Sample();
    if (VectorTrial.won(1, kind -> sample.divide(SCALAR), kind -> sample.divide(vectors))) {
      current = vectors;
    }
  }

  /** Rows to divide. */
  private static final class Sample {
    private static final int ROWS = 4_003; // no multiple of eight: all loops are to be compiled

    private final byte[] bins = new byte[ROWS];
    private final int[] right = new int[BinColumn.Bytes.MOST_BINS];
    private final int[] rows = new int[ROWS];
    private final int[] scratch = new int[ROWS];

    Sample() {
      new SplittableRandom(1).nextBytes(bins);
      Arrays.fill(right, BinColumn.Bytes.MOST_BINS / 2, BinColumn.Bytes.MOST_BINS, 1);
    }

    void divide(DivideLoop loop) {
      Arrays.setAll(rows, k -> k);
      loop.divide(bins, rows, 0, ROWS, right, scratch, 0);
    }
  }
}
