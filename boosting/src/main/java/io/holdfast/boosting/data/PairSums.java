package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.VectorModule;
import io.holdfast.boosting.numeric.VectorTrial;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What {@link PlaneSums} does, for two longs a row at once. Owned by one thread, and to be closed.
 */
public final class PairSums implements AutoCloseable {
  /*
   * By vectors from when these are compiled and faster, as the scan for splits is; sums are whole
   * numbers and come out the same. Cells stand in a static array for the reasons that UnrolledSums
   * gives: a slot of 32 KiB for each user, and more users are not served.
   */
  static final int SLOTS = Slots.COUNT;
  static final int SLOT_SHIFT = 12; // 4,096 longs
  static final int BIN_MASK = 0xFF0; // 256 bins of eight pairs
  static final long[] CELLS = new long[SLOTS << SLOT_SHIFT];

  private static final int PAIR_LANES = 2 * PackedRows.LANES;
  private static final Slots LEASES = new Slots();
  private static final PairLoops SCALAR = new ScalarPairLoops();
  private static volatile PairLoops current = SCALAR;

  static {
    PairLoops vectors = vectors();
    if (vectors != null) {
      VectorTrial.begin("holdfast-pairs-warm-up", () -> warmUp(vectors));
    }
  }

  private final int slot;
  private PairLoops loops = SCALAR;

  private PairSums(int slot) {
    this.slot = slot;
  }

  /** One with a slot of its own, or null if none is free. */
  public static @Nullable PairSums lease() {
    int slot = LEASES.lease();
    return slot == Slots.NONE ? null : new PairSums(slot);
  }

  int slot() {
    return slot;
  }

  @Override
  public void close() {
    LEASES.release(slot);
  }

  /** Loops by vectors, compiled or not; null if there are none. */
  static @Nullable PairLoops vectors() {
    return VectorModule.present() && VectorPairLoops.supported() ? new VectorPairLoops() : null;
  }

  /** Sets the first {@code bins} bins of all columns to 0. */
  void clear(int bins) {
    loops = current;
    int first = slot << SLOT_SHIFT;
    Arrays.fill(CELLS, first, first + bins * PAIR_LANES, 0);
  }

  /**
   * Adds {@code pairs[2k]} and {@code pairs[2k + 1]} to the bins that {@code plane[from + k]}
   * holds, for k below {@code n}.
   *
   * @param width columns of the plane; what others there are hold anything afterwards
   */
  void add(long[] plane, int from, long[] pairs, int n, int width) {
    loops.add(slot, plane, from, pairs, n, width);
  }

  /** Adds pair k to the bins that {@code columns[first, first + width)} have at k. */
  void addColumns(byte[][] columns, int first, long[] pairs, int n, int width) {
    loops.addColumns(slot, columns, first, width, pairs, n);
  }

  /**
   * Copies the first {@code bins} bins: the sums of bin b of column c come to {@code to + 8b + c}
   * and {@code toSecond + 8b + c}.
   */
  void copy(int bins, long[] target, int to, int toSecond) {
    loops.part(slot, bins * PackedRows.LANES, target, to, toSecond);
  }

  /** Adds the first {@code bins} bins to what stands where {@link #copy} would write them. */
  void addTo(int bins, long[] target, int to, int toSecond) {
    loops.addTo(slot, bins * PackedRows.LANES, target, to, toSecond);
  }

  private static void warmUp(PairLoops vectors) {
    PairSums lease = lease();
    if (lease == null) {
      return; // so many train that one more is not waited for
    }
    try (lease) {
      var sample = new Sample(lease);
      if (VectorTrial.won(
          Sample.KINDS, kind -> sample.run(SCALAR, kind), kind -> sample.run(vectors, kind))) {
        current = vectors;
      }
    }
  }

  /** Rows to add up. */
  private static final class Sample {
    static final int KINDS = 5; // of what is to be compiled
    private static final int ROWS = 4_000;
    private static final int COPIES = 50;

    private final PairSums sums;
    private final long[] plane = new long[ROWS];
    private final long[] pairs = new long[2 * ROWS];
    private final byte[][] columns = new byte[PackedRows.LANES][ROWS];
    private final long[] target = new long[1 << SLOT_SHIFT];

    Sample(PairSums sums) {
      this.sums = sums;
      var random = new SplittableRandom(1);
      Arrays.setAll(plane, k -> random.nextLong());
      Arrays.setAll(pairs, k -> random.nextLong());
      for (byte[] column : columns) {
        random.nextBytes(column);
      }
    }

    void run(PairLoops loops, int kind) {
      switch (kind) {
        case 0 -> loops.add(sums.slot, plane, 0, pairs, ROWS, 8);
        case 1 -> loops.add(sums.slot, plane, 0, pairs, ROWS, 4);
        case 2 -> loops.addColumns(sums.slot, columns, 0, 8, pairs, ROWS);
        case 3 -> {
          for (int k = 0; k < COPIES; k++) {
            loops.addTo(sums.slot, target.length / 2, target, 0, target.length / 2);
          }
        }
        default -> {
          for (int k = 0; k < COPIES; k++) {
            loops.part(sums.slot, target.length / 2, target, 0, target.length / 2);
          }
        }
      }
    }
  }
}
