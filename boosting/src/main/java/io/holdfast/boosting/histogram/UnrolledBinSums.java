package io.holdfast.boosting.histogram;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops of training, written out by hand: two, four or more columns a pass. This is the
 * one class of its kind; {@link PlainBinSums} says in a few lines what it does.
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
   * 3. A row's eight bins are one long, or are read from eight arrays of bytes in step.
   * 4. What is added is not what a load gave, but that shifted by 0, which the compiler does not know
   *    to be 0: of two loads it takes the older one for the first operand, and then has no addition
   *    to memory for it, but a load, an addition and a write (0.44 ns an addition for 0.52 on Zen 3;
   *    but 0.65 for 0.56 where bins are read from arrays of bytes, since registers run out).
   *
   * One and three columns are rounded up: the one too many adds to cells that nobody reads.
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
      case 5 -> add5(plane, from, values, n, slot);
      case 6 -> add6(plane, from, values, n, slot);
      case 7 -> add7(plane, from, values, n, slot);
      default -> add8(plane, from, values, n, slot);
    }
  }

  @Override
  public void addColumns(byte[][] columns, int first, long[] values, int n, int width) {
    switch (width) {
      case 1, 2 -> columns2(columns, first, width, values, n, slot);
      case 3, 4 -> columns4(columns, first, width, values, n, slot);
      case 5 -> columns5(columns, first, values, n, slot);
      case 6 -> columns6(columns, first, values, n, slot);
      case 7 -> columns7(columns, first, values, n, slot);
      default -> columns8(columns, first, values, n, slot);
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

  private static void add5(long[] plane, int from, long[] values, int n, int slot) {
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

  private static void add7(long[] plane, int from, long[] values, int n, int slot) {
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

  private static void columns2(
      byte[][] columns, int first, int width, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    byte[] column0 = columns[first];
    byte[] column1 = columns[first + width - 1];
    for (int k = 0; k < n; k++) {
      long value = values[k];
      cells[base + ((column0[k] & 0xFF) << 3)] += value;
      cells[base + ((column1[k] & 0xFF) << 3) + 1] += value;
    }
  }

  private static void columns4(
      byte[][] columns, int first, int width, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    byte[] column0 = columns[first];
    byte[] column1 = columns[first + 1];
    byte[] column2 = columns[first + 2];
    byte[] column3 = columns[first + width - 1];
    for (int k = 0; k < n; k++) {
      long value = values[k];
      cells[base + ((column0[k] & 0xFF) << 3)] += value;
      cells[base + ((column1[k] & 0xFF) << 3) + 1] += value;
      cells[base + ((column2[k] & 0xFF) << 3) + 2] += value;
      cells[base + ((column3[k] & 0xFF) << 3) + 3] += value;
    }
  }

  private static void columns5(byte[][] columns, int first, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    byte[] column0 = columns[first];
    byte[] column1 = columns[first + 1];
    byte[] column2 = columns[first + 2];
    byte[] column3 = columns[first + 3];
    byte[] column4 = columns[first + 4];
    for (int k = 0; k < n; k++) {
      long value = values[k];
      cells[base + ((column0[k] & 0xFF) << 3)] += value;
      cells[base + ((column1[k] & 0xFF) << 3) + 1] += value;
      cells[base + ((column2[k] & 0xFF) << 3) + 2] += value;
      cells[base + ((column3[k] & 0xFF) << 3) + 3] += value;
      cells[base + ((column4[k] & 0xFF) << 3) + 4] += value;
    }
  }

  private static void columns6(byte[][] columns, int first, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    byte[] column0 = columns[first];
    byte[] column1 = columns[first + 1];
    byte[] column2 = columns[first + 2];
    byte[] column3 = columns[first + 3];
    byte[] column4 = columns[first + 4];
    byte[] column5 = columns[first + 5];
    for (int k = 0; k < n; k++) {
      long value = values[k];
      cells[base + ((column0[k] & 0xFF) << 3)] += value;
      cells[base + ((column1[k] & 0xFF) << 3) + 1] += value;
      cells[base + ((column2[k] & 0xFF) << 3) + 2] += value;
      cells[base + ((column3[k] & 0xFF) << 3) + 3] += value;
      cells[base + ((column4[k] & 0xFF) << 3) + 4] += value;
      cells[base + ((column5[k] & 0xFF) << 3) + 5] += value;
    }
  }

  private static void columns7(byte[][] columns, int first, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    byte[] column0 = columns[first];
    byte[] column1 = columns[first + 1];
    byte[] column2 = columns[first + 2];
    byte[] column3 = columns[first + 3];
    byte[] column4 = columns[first + 4];
    byte[] column5 = columns[first + 5];
    byte[] column6 = columns[first + 6];
    for (int k = 0; k < n; k++) {
      long value = values[k];
      cells[base + ((column0[k] & 0xFF) << 3)] += value;
      cells[base + ((column1[k] & 0xFF) << 3) + 1] += value;
      cells[base + ((column2[k] & 0xFF) << 3) + 2] += value;
      cells[base + ((column3[k] & 0xFF) << 3) + 3] += value;
      cells[base + ((column4[k] & 0xFF) << 3) + 4] += value;
      cells[base + ((column5[k] & 0xFF) << 3) + 5] += value;
      cells[base + ((column6[k] & 0xFF) << 3) + 6] += value;
    }
  }

  private static void columns8(byte[][] columns, int first, long[] values, int n, int slot) {
    long[] cells = CELLS;
    int base = (slot & SLOTS - 1) << SLOT_SHIFT;
    byte[] column0 = columns[first];
    byte[] column1 = columns[first + 1];
    byte[] column2 = columns[first + 2];
    byte[] column3 = columns[first + 3];
    byte[] column4 = columns[first + 4];
    byte[] column5 = columns[first + 5];
    byte[] column6 = columns[first + 6];
    byte[] column7 = columns[first + 7];
    for (int k = 0; k < n; k++) {
      long value = values[k];
      cells[base + ((column0[k] & 0xFF) << 3)] += value;
      cells[base + ((column1[k] & 0xFF) << 3) + 1] += value;
      cells[base + ((column2[k] & 0xFF) << 3) + 2] += value;
      cells[base + ((column3[k] & 0xFF) << 3) + 3] += value;
      cells[base + ((column4[k] & 0xFF) << 3) + 4] += value;
      cells[base + ((column5[k] & 0xFF) << 3) + 5] += value;
      cells[base + ((column6[k] & 0xFF) << 3) + 6] += value;
      cells[base + ((column7[k] & 0xFF) << 3) + 7] += value;
    }
  }
}
