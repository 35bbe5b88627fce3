package io.holdfast.boosting.data;

/** Sum by sum: the plain twin of {@link VectorPairLoops}. */
final class ScalarPairLoops implements PairLoops {
  @Override
  public void add(int slot, long[] plane, int from, long[] pairs, int n, int lanes) {
    if (lanes <= 4) {
      add4(plane, from, pairs, n, slot);
    } else {
      add8(plane, from, pairs, n, slot);
    }
  }

  private static void add4(long[] plane, int from, long[] pairs, int n, int slot) {
    long[] cells = PairSums.CELLS;
    int base = (slot & PairSums.SLOTS - 1) << PairSums.SLOT_SHIFT;
    for (int k = 0; k < n; k++) {
      int half = (int) plane[from + k];
      long one = pairs[2 * k];
      long other = pairs[2 * k + 1];
      int at = base + (half << 4 & PairSums.BIN_MASK);
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 4 & PairSums.BIN_MASK) + 2;
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 12 & PairSums.BIN_MASK) + 4;
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 20 & PairSums.BIN_MASK) + 6;
      cells[at] += one;
      cells[at + 1] += other;
    }
  }

  private static void add8(long[] plane, int from, long[] pairs, int n, int slot) {
    long[] cells = PairSums.CELLS;
    int base = (slot & PairSums.SLOTS - 1) << PairSums.SLOT_SHIFT;
    for (int k = 0; k < n; k++) {
      long bins = plane[from + k];
      long one = pairs[2 * k];
      long other = pairs[2 * k + 1];
      int half = (int) bins;
      int at = base + (half << 4 & PairSums.BIN_MASK);
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 4 & PairSums.BIN_MASK) + 2;
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 12 & PairSums.BIN_MASK) + 4;
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 20 & PairSums.BIN_MASK) + 6;
      cells[at] += one;
      cells[at + 1] += other;
      half = (int) (bins >>> Integer.SIZE);
      at = base + (half << 4 & PairSums.BIN_MASK) + 8;
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 4 & PairSums.BIN_MASK) + 10;
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 12 & PairSums.BIN_MASK) + 12;
      cells[at] += one;
      cells[at + 1] += other;
      at = base + (half >>> 20 & PairSums.BIN_MASK) + 14;
      cells[at] += one;
      cells[at + 1] += other;
    }
  }

  @Override
  public void addColumns(int slot, byte[][] columns, int first, int width, long[] pairs, int n) {
    for (int lane = 0; lane < width; lane += 2) {
      addTwo(
          columns[first + lane],
          columns[first + Math.min(lane + 1, width - 1)],
          pairs,
          n,
          lane,
          slot);
    }
  }

  private static void addTwo(byte[] column, byte[] next, long[] pairs, int n, int lane, int slot) {
    long[] cells = PairSums.CELLS;
    int base = ((slot & PairSums.SLOTS - 1) << PairSums.SLOT_SHIFT) + 2 * (lane & 6);
    for (int k = 0; k < n; k++) {
      long one = pairs[2 * k];
      long other = pairs[2 * k + 1];
      int at = base + ((column[k] & 0xFF) << 4);
      cells[at] += one;
      cells[at + 1] += other;
      at = base + ((next[k] & 0xFF) << 4) + 2;
      cells[at] += one;
      cells[at + 1] += other;
    }
  }

  @Override
  public void part(int slot, int count, long[] target, int to, int toSecond) {
    long[] cells = PairSums.CELLS;
    int from = slot << PairSums.SLOT_SHIFT;
    for (int k = 0; k < count; k++) {
      target[to + k] = cells[from + 2 * k];
      target[toSecond + k] = cells[from + 2 * k + 1];
    }
  }

  @Override
  public void addTo(int slot, int count, long[] target, int to, int toSecond) {
    long[] cells = PairSums.CELLS;
    int from = slot << PairSums.SLOT_SHIFT;
    for (int k = 0; k < count; k++) {
      target[to + k] += cells[from + 2 * k];
      target[toSecond + k] += cells[from + 2 * k + 1];
    }
  }
}
