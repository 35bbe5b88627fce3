package io.holdfast.boosting.histogram;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops of training, written out by hand: two, four, six or eight columns a pass. This is
 * the one class of its kind; {@link BinSums.Plain} says in a few lines what it does.
 */
final class UnrolledBinSums implements BinSums {
  /*
   * Four things make an addition cost what it costs in C (0.36 ns, against 0.43 with bounds checks
   * and 0.7 in an array made for the call):
   *
   * 1. Cells stand in a static final array of constant length, and indices are masked, so that the
   *    compiler proves every one of them in bounds. The array is shared: each user leases a slot of
   *    it, 16 KiB, and nobody else touches that slot until it is closed.
   * 2. Cells are bin-major, eight columns side by side, so that a row's additions go to different
   *    cache lines' different words, and the split scan later reads all columns of a bin at once.
   * 3. A row's eight bins are one long.
   * 4. What is added is not what a load gave, but that shifted by 0, which the compiler does not know
   *    to be 0: of two loads it takes the older one for the first operand, and then has no addition
   *    to memory for it, but a load, an addition and a write (0.44 ns an addition for 0.52 on Zen 3).
   *
   * An odd number of columns is rounded up: the one too many adds to cells that nobody reads.
   */
  private static final int SLOTS = Slots.COUNT;
  private static final int SLOT_SHIFT = 11; // 2,048 cells
  private static final int SIGN = Integer.SIZE - 1;
  private static final int BIN_MASK = 0x7F8; // 256 bins of eight columns
  private static final long[] CELLS = new long[SLOTS << SLOT_SHIFT];
  private static final Slots LEASES = new Slots();

  private final int slot;

  private UnrolledBinSums(int slot) {
    this.slot = slot;
  }

  /** One with a slot of its own, or null if none is free. */
  static @Nullable UnrolledBinSums lease() {
    int slot = LEASES.lease();
    return slot == Slots.NONE ? null : new UnrolledBinSums(slot);
  }

  @Override
  public void close() {
    LEASES.release(slot);
  }

  @Override
  public long[] cells() {
    return CELLS;
  }

  @Override
  public int first() {
    return slot << SLOT_SHIFT;
  }

  @Override
  public void clear(int bins) {
    int first = slot << SLOT_SHIFT;
    Arrays.fill(CELLS, first, first + bins * PackedBins.LANES, 0);
  }

  @Override
  public void copy(int bins, long[] target, int to) {
    System.arraycopy(CELLS, slot << SLOT_SHIFT, target, to, bins * PackedBins.LANES);
  }

  @Override
  public void addTo(int bins, long[] target, int to) {
    long[] cells = CELLS;
    int from = slot << SLOT_SHIFT;
    int count = bins * PackedBins.LANES;
    for (int k = 0; k < count; k++) {
      target[to + k] += cells[from + k];
    }
  }

  @Override
  public void add(long[] plane, int from, long[] values, int n, int width) {
    switch (width) {
      case 1, 2 -> add2(plane, from, values, n, slot);
      case 3, 4 -> add4(plane, from, values, n, slot);
      case 5, 6 -> add6(plane, from, values, n, slot);
      default -> add8(plane, from, values, n, slot);
    }
  }

  private static void add2(long[] plane, int from, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    int nothing = slot >>> SIGN;
    for (int k = 0; k < n; k++) {
      long bins = plane[from + k];
      long value = values[k] >>> nothing;
      int half = (int) bins;
      cells[base + (half << 3 & BIN_MASK)] += value;
      cells[base + (half >>> 5 & BIN_MASK) + 1] += value;
    }
  }

  private static void add4(long[] plane, int from, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    int nothing = slot >>> SIGN;
    for (int k = 0; k < n; k++) {
      long bins = plane[from + k];
      long value = values[k] >>> nothing;
      int half = (int) bins;
      cells[base + (half << 3 & BIN_MASK)] += value;
      cells[base + (half >>> 5 & BIN_MASK) + 1] += value;
      cells[base + (half >>> 13 & BIN_MASK) + 2] += value;
      cells[base + (half >>> 21 & BIN_MASK) + 3] += value;
    }
  }

  private static void add6(long[] plane, int from, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    int nothing = slot >>> SIGN;
    for (int k = 0; k < n; k++) {
      long bins = plane[from + k];
      long value = values[k] >>> nothing;
      int half = (int) bins;
      cells[base + (half << 3 & BIN_MASK)] += value;
      cells[base + (half >>> 5 & BIN_MASK) + 1] += value;
      cells[base + (half >>> 13 & BIN_MASK) + 2] += value;
      cells[base + (half >>> 21 & BIN_MASK) + 3] += value;
      half = (int) (bins >>> 32);
      cells[base + (half << 3 & BIN_MASK) + 4] += value;
      cells[base + (half >>> 5 & BIN_MASK) + 5] += value;
    }
  }

  private static void add8(long[] plane, int from, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    int nothing = slot >>> SIGN;
    for (int k = 0; k < n; k++) {
      long bins = plane[from + k];
      long value = values[k] >>> nothing;
      int half = (int) bins;
      cells[base + (half << 3 & BIN_MASK)] += value;
      cells[base + (half >>> 5 & BIN_MASK) + 1] += value;
      cells[base + (half >>> 13 & BIN_MASK) + 2] += value;
      cells[base + (half >>> 21 & BIN_MASK) + 3] += value;
      half = (int) (bins >>> 32);
      cells[base + (half << 3 & BIN_MASK) + 4] += value;
      cells[base + (half >>> 5 & BIN_MASK) + 5] += value;
      cells[base + (half >>> 13 & BIN_MASK) + 6] += value;
      cells[base + (half >>> 21 & BIN_MASK) + 7] += value;
    }
  }

  /** Slots of an array that is shared, each of which one user at a time may lease. Thread-safe. */
  private static final class Slots {
    static final int COUNT = 32;
    static final int NONE = -1;

    private final AtomicInteger leased = new AtomicInteger(); // a bit a slot

    /** A slot that nobody else has until it is released, or {@link #NONE} if none is free. */
    int lease() {
      while (true) {
        int present = leased.get();
        int slot = Integer.numberOfTrailingZeros(~present);
        if (slot == COUNT) {
          return NONE;
        }
        if (leased.compareAndSet(present, present | 1 << slot)) {
          return slot;
        }
      }
    }

    void release(int slot) {
      leased.getAndUpdate(present -> present & ~(1 << slot));
    }
  }
}
