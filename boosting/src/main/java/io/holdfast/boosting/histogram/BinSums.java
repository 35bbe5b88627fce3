package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sums of one long a row by bin, for all columns of a plane of {@link PackedBins} at once. */
public abstract sealed class BinSums implements AutoCloseable {
  /** Bins that a column has at most, the missing one counted. */
  public static final int BINS = BinColumn.Bytes.MOST_BINS;

  private final long[] cells; // of bin b of column c at first + 8b + c
  private final int first;

  private BinSums(long[] cells, int first) {
    this.cells = cells;
    this.first = first;
  }

  /** Sums for one thread, to be closed: fast ones, or plain ones while very many are in use. */
  public static BinSums lease() {
    BinSums fast = Unrolled.tryLease();
    return fast == null ? new Plain() : fast;
  }

  /** Sets the first {@code bins} bins of all columns to 0. */
  void clear(int bins) {
    Arrays.fill(cells, first, first + bins * PackedBins.LANES, 0);
  }

  /**
   * Adds {@code values[k]} to the bins that {@code plane[from + k]} holds, for k below {@code n}.
   *
   * @param width columns of the plane; the sums of other columns are undefined afterwards
   */
  abstract void add(long[] plane, int from, long[] values, int n, int width);

  /** Copies the first {@code bins} bins: bin b of column c comes to {@code to + 8b + c}. */
  void copy(int bins, long[] target, int to) {
    System.arraycopy(cells, first, target, to, bins * PackedBins.LANES);
  }

  /** As {@link #copy}, but adds to the target. */
  void addTo(int bins, long[] target, int to) {
    long[] source = cells;
    int from = first;
    for (int k = 0; k < bins * PackedBins.LANES; k++) {
      target[to + k] += source[from + k];
    }
  }

  @Override
  public abstract void close();

  /** What {@link Unrolled} must agree with. */
  static final class Plain extends BinSums {
    Plain() {
      super(new long[BINS * PackedBins.LANES], 0);
    }

    @Override
    void add(long[] plane, int from, long[] values, int n, int width) {
      for (int k = 0; k < n; k++) {
        for (int lane = 0; lane < width; lane++) {
          int bin = (int) (plane[from + k] >>> (lane * Byte.SIZE)) & 0xFF;
          super.cells[bin * PackedBins.LANES + lane] += values[k];
        }
      }
    }

    @Override
    public void close() {}
  }

  /** The inner loop of training, unrolled by hand. */
  static final class Unrolled extends BinSums {
    /*
     * Four things make an addition as cheap as in C:
     *
     * 1. Cells are in a static final array of constant length and indices are masked, so the compiler
     *    needs no bounds checks. Users share the array: each leases a slot of 16 KiB.
     * 2. Cells are bin-major, so that a row's additions go to different cache lines, and the split
     *    scan later reads all columns of a bin at once.
     * 3. A row's eight bins are one long.
     * 4. The value is shifted by 0, which the compiler does not know to be 0. It would otherwise make
     *    a load, an addition and a store of what can be one addition to memory.
     *
     * There is a method for each even width: one loop with conditions, or several loops in a method,
     * compile to slower code. An odd width is rounded up: the extra column adds to unread cells.
     */
    private static final int SLOTS = Integer.SIZE;
    private static final int SLOT_SHIFT = 11; // 2,048 cells
    private static final int BIN_MASK = 0x7F8; // 256 bins of eight columns
    private static final long[] CELLS = new long[SLOTS << SLOT_SHIFT];
    private static final AtomicInteger LEASED = new AtomicInteger(); // a bit a slot

    private final int slot;

    private Unrolled(int slot) {
      super(CELLS, slot << SLOT_SHIFT);
      this.slot = slot;
    }

    /** Null if no slot is free. */
    static @Nullable Unrolled tryLease() {
      while (true) {
        int leased = LEASED.get();
        int slot = Integer.numberOfTrailingZeros(~leased);
        if (slot == SLOTS) {
          return null;
        }
        if (LEASED.compareAndSet(leased, leased | 1 << slot)) {
          return new Unrolled(slot);
        }
      }
    }

    @Override
    public void close() {
      LEASED.getAndUpdate(leased -> leased & ~(1 << slot));
    }

    @Override
    void add(long[] plane, int from, long[] values, int n, int width) {
      switch (width) {
        case 1, 2 -> add2(plane, from, values, n, slot);
        case 3, 4 -> add4(plane, from, values, n, slot);
        case 5, 6 -> add6(plane, from, values, n, slot);
        default -> add8(plane, from, values, n, slot);
      }
    }

    private static void add2(long[] plane, int from, long[] values, int n, int slot) {
      for (int k = 0; k < n; k++) {
        addTwo(base(slot), (int) plane[from + k], values[k] >>> nothing(slot));
      }
    }

    private static void add4(long[] plane, int from, long[] values, int n, int slot) {
      for (int k = 0; k < n; k++) {
        addFour(base(slot), (int) plane[from + k], values[k] >>> nothing(slot));
      }
    }

    private static void add6(long[] plane, int from, long[] values, int n, int slot) {
      for (int k = 0; k < n; k++) {
        long bins = plane[from + k];
        long value = values[k] >>> nothing(slot);
        addFour(base(slot), (int) bins, value);
        addTwo(base(slot) + 4, (int) (bins >>> 32), value);
      }
    }

    private static void add8(long[] plane, int from, long[] values, int n, int slot) {
      for (int k = 0; k < n; k++) {
        long bins = plane[from + k];
        long value = values[k] >>> nothing(slot);
        addFour(base(slot), (int) bins, value);
        addFour(base(slot) + 4, (int) (bins >>> 32), value);
      }
    }

    private static int base(int slot) {
      return (slot & SLOTS - 1) << SLOT_SHIFT;
    }

    private static int nothing(int slot) {
      return slot >>> (Integer.SIZE - 1);
    }

    private static void addFour(int base, int bins, long value) {
      addTwo(base, bins, value);
      CELLS[base + (bins >>> 13 & BIN_MASK) + 2] += value;
      CELLS[base + (bins >>> 21 & BIN_MASK) + 3] += value;
    }

    private static void addTwo(int base, int bins, long value) {
      CELLS[base + (bins << 3 & BIN_MASK)] += value;
      CELLS[base + (bins >>> 5 & BIN_MASK) + 1] += value;
    }
  }
}
