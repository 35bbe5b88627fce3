package io.holdfast.boosting.histogram;

import java.util.Arrays;

/** The plain twin of {@link UnrolledBinSums}. */
final class PlainBinSums implements BinSums {
  private final long[] cells = new long[BINS * PackedBins.LANES];

  @Override
  public long[] cells() {
    return cells;
  }

  @Override
  public int first() {
    return 0;
  }

  @Override
  public void clear(int bins) {
    Arrays.fill(cells, 0, bins * PackedBins.LANES, 0);
  }

  @Override
  public void add(long[] plane, int from, long[] values, int n, int width) {
    for (int k = 0; k < n; k++) {
      long bins = plane[from + k];
      for (int lane = 0; lane < width; lane++) {
        cells[(int) (bins >>> (lane * Byte.SIZE) & 0xFF) * PackedBins.LANES + lane] += values[k];
      }
    }
  }

  @Override
  public void copy(int bins, long[] target, int to) {
    System.arraycopy(cells, 0, target, to, bins * PackedBins.LANES);
  }

  @Override
  public void addTo(int bins, long[] target, int to) {
    for (int k = 0; k < bins * PackedBins.LANES; k++) {
      target[to + k] += cells[k];
    }
  }

  @Override
  public void close() {}
}
