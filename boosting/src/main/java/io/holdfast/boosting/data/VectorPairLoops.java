package io.holdfast.boosting.data;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Both sums of a cell at once, in vectors of 128 bits. To be used only where the module {@code
 * jdk.incubator.vector} is there: {@link PairSums} sees to it.
 */
final class VectorPairLoops implements PairLoops {
  /*
   * Written out as UnrolledSums is, and for its reasons. An addition of both sums takes less than the
   * scalar one of a single sum does (0.32 ns against 0.37; 0.53 against 0.55 on a machine of 256 bits,
   * where two scalar ones take 0.86). Lanes that no column has are added to as well: so there are two
   * widths, and no more. Sums are parted by vectors of 512 bits, or one by one where there are none.
   */
  private static final VectorSpecies<Long> PAIR = LongVector.SPECIES_128;
  private static final VectorSpecies<Long> EIGHT = LongVector.SPECIES_512;
  private static final boolean WIDE = LongVector.SPECIES_PREFERRED.length() >= PackedRows.LANES;
  private static final ScalarPairLoops NARROW = new ScalarPairLoops();
  private static final long[] EVEN = {0, 2, 4, 6, 8, 10, 12, 14};
  private static final long[] ODD = {1, 3, 5, 7, 9, 11, 13, 15};

  /**
   * Whether this machine has vectors of 256 bits: those of 128 win there, and were not tried
   * elsewhere.
   */
  static boolean supported() {
    return LongVector.SPECIES_PREFERRED.length() >= PackedRows.LANES / 2;
  }

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
      LongVector pair = LongVector.fromArray(PAIR, pairs, 2 * k);
      int at = base + (half << 4 & PairSums.BIN_MASK);
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 4 & PairSums.BIN_MASK) + 2;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 12 & PairSums.BIN_MASK) + 4;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 20 & PairSums.BIN_MASK) + 6;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
    }
  }

  private static void add8(long[] plane, int from, long[] pairs, int n, int slot) {
    long[] cells = PairSums.CELLS;
    int base = (slot & PairSums.SLOTS - 1) << PairSums.SLOT_SHIFT;
    for (int k = 0; k < n; k++) {
      long bins = plane[from + k];
      LongVector pair = LongVector.fromArray(PAIR, pairs, 2 * k);
      int half = (int) bins;
      int at = base + (half << 4 & PairSums.BIN_MASK);
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 4 & PairSums.BIN_MASK) + 2;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 12 & PairSums.BIN_MASK) + 4;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 20 & PairSums.BIN_MASK) + 6;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      half = (int) (bins >>> Integer.SIZE);
      at = base + (half << 4 & PairSums.BIN_MASK) + 8;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 4 & PairSums.BIN_MASK) + 10;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 12 & PairSums.BIN_MASK) + 12;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + (half >>> 20 & PairSums.BIN_MASK) + 14;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
    }
  }

  @Override
  public void addColumns(int slot, byte[][] columns, int first, int width, long[] pairs, int n) {
    for (int lane = 0; lane < width; lane += 4) {
      addFour(columns, first + lane, first + width - 1, pairs, n, lane, slot);
    }
  }

  /** Of four columns, or the last one again where there are fewer: nobody reads what it adds to. */
  private static void addFour(
      byte[][] columns, int first, int last, long[] pairs, int n, int lane, int slot) {
    long[] cells = PairSums.CELLS;
    int base = ((slot & PairSums.SLOTS - 1) << PairSums.SLOT_SHIFT) + 2 * (lane & 4);
    byte[] column0 = columns[first];
    byte[] column1 = columns[Math.min(first + 1, last)];
    byte[] column2 = columns[Math.min(first + 2, last)];
    byte[] column3 = columns[Math.min(first + 3, last)];
    for (int k = 0; k < n; k++) {
      LongVector pair = LongVector.fromArray(PAIR, pairs, 2 * k);
      int at = base + ((column0[k] & 0xFF) << 4);
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + ((column1[k] & 0xFF) << 4) + 2;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + ((column2[k] & 0xFF) << 4) + 4;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
      at = base + ((column3[k] & 0xFF) << 4) + 6;
      LongVector.fromArray(PAIR, cells, at).add(pair).intoArray(cells, at);
    }
  }

  @Override
  public void part(int slot, int count, long[] target, int to, int toSecond) {
    if (!WIDE) {
      NARROW.part(slot, count, target, to, toSecond);
      return;
    }
    long[] cells = PairSums.CELLS;
    int from = slot << PairSums.SLOT_SHIFT;
    LongVector even = LongVector.fromArray(EIGHT, EVEN, 0);
    LongVector odd = LongVector.fromArray(EIGHT, ODD, 0);
    for (int k = 0; k < count; k += PackedRows.LANES) { // a multiple of it
      LongVector low = LongVector.fromArray(EIGHT, cells, from + 2 * k);
      LongVector high = LongVector.fromArray(EIGHT, cells, from + 2 * k + PackedRows.LANES);
      even.selectFrom(low, high).intoArray(target, to + k);
      odd.selectFrom(low, high).intoArray(target, toSecond + k);
    }
  }

  @Override
  public void addTo(int slot, int count, long[] target, int to, int toSecond) {
    if (!WIDE) {
      NARROW.addTo(slot, count, target, to, toSecond);
      return;
    }
    long[] cells = PairSums.CELLS;
    int from = slot << PairSums.SLOT_SHIFT;
    LongVector even = LongVector.fromArray(EIGHT, EVEN, 0);
    LongVector odd = LongVector.fromArray(EIGHT, ODD, 0);
    for (int k = 0; k < count; k += PackedRows.LANES) { // a multiple of it
      LongVector low = LongVector.fromArray(EIGHT, cells, from + 2 * k);
      LongVector high = LongVector.fromArray(EIGHT, cells, from + 2 * k + PackedRows.LANES);
      LongVector first = LongVector.fromArray(EIGHT, target, to + k);
      LongVector second = LongVector.fromArray(EIGHT, target, toSecond + k);
      first.add(even.selectFrom(low, high)).intoArray(target, to + k);
      second.add(odd.selectFrom(low, high)).intoArray(target, toSecond + k);
    }
  }
}
