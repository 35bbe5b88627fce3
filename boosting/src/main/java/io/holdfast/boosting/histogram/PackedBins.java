package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bins of rows, eight columns to a long: a row is a record of one long a plane, and a plane is
 * up to eight neighbouring columns. For columns of at most 256 bins, the missing one counted.
 *
 * <p>Sums over the rows of a plane are cells of {@code 8 (bins(plane) + 1)} longs: bin b of lane l
 * is at {@code 8 b + l}, and the missing values' at {@code 8 bins(plane) + l}.
 */
public final class PackedBins {
  /*
   * Records are read where only some rows are wanted: a row's bins are then in one or two cache lines.
   * Where all are, their longs are read plane by plane, unless that would take too much room.
   *
   * Rows that are far from each other are read once before they are copied, TOUCHED at a time: a loop
   * that only reads waits for many cache misses at once, one that copies for about a dozen.
   */

  /** Columns of a plane at most. */
  public static final int LANES = 8;

  /** Longs of records at most that are held plane by plane too: 4 MiB. */
  public static final int MOST_WHOLE = 1 << 19;

  private static final int QUAD = 4; // columns that half a plane is
  private static final int FIRST = 6; // after an array's header: cache lines begin where records do
  private static final int PADDING = 24; // so that no two planes of a block are in the same sets
  private static final int TOUCHED = 256;
  private static final int FAR = 6; // rows, on average, from one to the next
  private static final int MANY = 1 << 16; // longs of records: what a core's own cache holds
  private static final int BLOCK = 512; // rows whose records are made at once: they stay in cache

  private final int rows;
  private final int[] missing; // the bin of each column's missing values
  private final int[] firstColumn; // of each plane, and the end
  private final int[] bins; // most of a column of the plane
  private final long[] records;
  private final long[] whole; // the same plane by plane, if there is room
  private final int firstWhole;
  private final boolean held; // whether there is

  /**
   * The bins of these rows, in arrays of {@code buffers}; null if a column has too many.
   *
   * @param mostWhole longs of records at most that are held plane by plane too
   */
  public static @Nullable PackedBins of(BinnedRows binned, Buffers buffers, int mostWhole) {
    byte[][] bytes = new byte[binned.columns()][];
    int[] missing = new int[binned.columns()];
    for (int column = 0; column < bytes.length; column++) {
      if (!(binned.column(column) instanceof BinColumn.Bytes narrow)) {
        return null;
      }
      bytes[column] = narrow.bins();
      missing[column] = binned.bins(column);
    }
    return new PackedBins(binned.rows(), bytes, missing, buffers, mostWhole);
  }

  private PackedBins(int rows, byte[][] columns, int[] missing, Buffers buffers, int mostWhole) {
    this.rows = rows;
    this.missing = missing;
    int planes = (columns.length + LANES - 1) / LANES;
    firstColumn = new int[planes + 1];
    bins = new int[planes];
    int quads = (columns.length + QUAD - 1) / QUAD;
    for (int plane = 0; plane < planes; plane++) {
      // Evenly, for threads that share out planes, but by quads, which may be scanned together.
      long end = QUAD * ((long) quads * (plane + 1) / planes);
      firstColumn[plane + 1] = (int) Math.min(columns.length, end);
      for (int column = firstColumn[plane]; column < firstColumn[plane + 1]; column++) {
        bins[plane] = Math.max(bins[plane], missing[column]);
      }
    }
    int longs = Math.multiplyExact(rows, planes);
    records = buffers.longs(Math.addExact(FIRST, longs));
    held = longs <= mostWhole;
    boolean apart = held && planes > 1;
    whole = apart ? buffers.longs(longs) : records;
    firstWhole = apart ? 0 : FIRST;
    for (int from = 0; from < rows; from += BLOCK) {
      int to = Math.min(rows, from + BLOCK);
      for (int column = 0, plane = 0; column < columns.length; column++) {
        if (column == firstColumn[plane + 1]) {
          plane++;
        }
        record(columns[column], column - firstColumn[plane], plane, from, to);
      }
      for (int plane = 0; apart && plane < planes; plane++) {
        for (int row = from; row < to; row++) {
          whole[plane * rows + row] = records[FIRST + row * planes + plane];
        }
      }
    }
  }

  private void record(byte[] column, int lane, int plane, int from, int to) {
    int planes = planes();
    int shift = lane * Byte.SIZE;
    long keep = lane == 0 ? 0 : -1; // of what is there: another window's, or the lanes before
    for (int row = from, at = FIRST + from * planes + plane; row < to; row++, at += planes) {
      records[at] = (records[at] & keep) | (column[row] & 0xFFL) << shift;
    }
  }

  /** The longs of a record. */
  public int planes() {
    return bins.length;
  }

  public int plane(int column) {
    int found = Arrays.binarySearch(firstColumn, column);
    return found >= 0 ? found : -found - 2;
  }

  /** The first column of a plane; of the plane after the last, how many columns there are. */
  public int firstColumn(int plane) {
    return firstColumn[plane];
  }

  /** The most bins that a column of the plane has, the missing one not counted. */
  public int bins(int plane) {
    return bins[plane];
  }

  /** The longs of the sums over a plane. */
  public int cells(int plane) {
    return LANES * (bins[plane] + 1);
  }

  /** Room to gather at most {@code capacity} rows at a time. */
  public Gathered newGathered(int capacity, Buffers buffers) {
    return new Gathered(capacity, planes(), buffers);
  }

  /** Some rows' records, plane by plane, and a value of each. Owned by one thread at a time. */
  public static final class Gathered {
    private final int stride;
    private final long[] bins;
    private final long[] values;

    private long touched; // keeps the compiler from removing the reads

    private Gathered(int capacity, int planes, Buffers buffers) {
      stride = Math.addExact(capacity, PADDING);
      bins = buffers.longs(Math.multiplyExact(stride, planes));
      values = buffers.longs(capacity);
    }
  }

  /**
   * Copies the records of {@code chosen[from, to)}, which ascend, and their values to the places
   * from {@code from - start} on.
   */
  public void gather(int[] chosen, int from, int to, int start, long[] valueOf, Gathered target) {
    boolean far = to > from && (chosen[to - 1] - chosen[from]) / FAR >= to - from;
    if (!far || records.length < MANY) {
      gatherNear(chosen, from, to, start, valueOf, target);
      return;
    }
    for (int k = from; k < to; k += TOUCHED) {
      int end = Math.min(to, k + TOUCHED);
      target.touched = touch(chosen, k, end, valueOf, target.touched);
      gatherNear(chosen, k, end, start, valueOf, target);
    }
  }

  /** Reads each cache line that is about to be copied; returns a sum that depends on all. */
  private long touch(int[] chosen, int from, int to, long[] valueOf, long before) {
    long[] source = records;
    int planes = planes();
    long sum = before;
    for (int k = from; k < to; k++) {
      int row = chosen[k];
      sum += source[FIRST + row * planes] + valueOf[row];
    }
    for (int plane = planes - 1; plane > 0 && planes != 2 && planes != 4; plane -= LANES) {
      for (int k = from; k < to; k++) {
        sum += source[FIRST + chosen[k] * planes + plane];
      }
    }
    return sum;
  }

  private void gatherNear(
      int[] chosen, int from, int to, int start, long[] valueOf, Gathered target) {
    int planes = planes();
    int plane = 0;
    if (planes >= 4) {
      gatherFirstFour(chosen, from, to, start, valueOf, target);
      plane = 4;
    } else {
      for (int k = from; k < to; k++) {
        target.values[k - start] = valueOf[chosen[k]];
      }
    }
    for (; plane + 4 <= planes; plane += 4) {
      gatherFour(chosen, from, to, start, plane, target);
    }
    for (; plane < planes; plane++) {
      int shift = plane * target.stride - start;
      for (int k = from; k < to; k++) {
        target.bins[shift + k] = records[FIRST + chosen[k] * planes + plane];
      }
    }
  }

  private void gatherFirstFour(
      int[] chosen, int from, int to, int start, long[] valueOf, Gathered gathered) {
    long[] source = records;
    long[] bins = gathered.bins;
    long[] values = gathered.values;
    int planes = planes();
    int stride = gathered.stride;
    for (int k = from; k < to; k++) {
      int row = chosen[k];
      int record = FIRST + row * planes;
      values[k - start] = valueOf[row];
      bins[k - start] = source[record];
      bins[k - start + stride] = source[record + 1];
      bins[k - start + 2 * stride] = source[record + 2];
      bins[k - start + 3 * stride] = source[record + 3];
    }
  }

  private void gatherFour(int[] chosen, int from, int to, int start, int plane, Gathered gathered) {
    long[] source = records;
    long[] target = gathered.bins;
    int planes = planes();
    int stride = gathered.stride;
    int shift = plane * stride - start;
    for (int k = from; k < to; k++) {
      int record = FIRST + chosen[k] * planes + plane;
      target[shift + k] = source[record];
      target[shift + k + stride] = source[record + 1];
      target[shift + k + 2 * stride] = source[record + 2];
      target[shift + k + 3 * stride] = source[record + 3];
    }
  }

  /** Whether {@link #sumAll} can be asked: records are held plane by plane, too. */
  public boolean held() {
    return held;
  }

  /** Writes the sums of {@code valueOf[row]} over all rows to {@code target} from {@code to} on. */
  public void sumAll(int plane, long[] valueOf, BinSums sums, long[] target, int to) {
    sums.clear(bins[plane] + 1);
    sums.add(whole, firstWhole + plane * rows, valueOf, rows, width(plane));
    sums.copy(bins[plane] + 1, target, to);
    swapMissing(plane, target, to);
  }

  /**
   * Writes, or adds if {@code more}, the sums of the {@code n} rows that were gathered; those of
   * missing values are not yet in their place ({@link #swapMissing}).
   */
  public void sum(
      int plane, Gathered gathered, int n, BinSums sums, long[] target, int to, boolean more) {
    sums.clear(bins[plane] + 1);
    sums.add(gathered.bins, plane * gathered.stride, gathered.values, n, width(plane));
    if (more) {
      sums.addTo(bins[plane] + 1, target, to);
    } else {
      sums.copy(bins[plane] + 1, target, to);
    }
  }

  /** Subtracts the {@code n} rows that were gathered from complete sums; for few rows. */
  public void subtract(int plane, Gathered gathered, int n, long[] target, int to) {
    swapMissing(plane, target, to);
    long[] records = gathered.bins;
    long[] values = gathered.values;
    int from = plane * gathered.stride;
    int end = to + width(plane);
    for (int k = 0; k < n; k++) {
      long record = records[from + k];
      long value = values[k];
      for (int at = to; at < end; at++, record >>>= Byte.SIZE) {
        target[at + LANES * ((int) record & 0xFF)] -= value;
      }
    }
    swapMissing(plane, target, to);
  }

  private int width(int plane) {
    return firstColumn[plane + 1] - firstColumn[plane];
  }

  /** Moves the sums of missing values from each column's last bin to the plane's, or back. */
  public void swapMissing(int plane, long[] target, int to) {
    for (int column = firstColumn[plane]; column < firstColumn[plane + 1]; column++) {
      int lane = to + column - firstColumn[plane];
      int own = LANES * missing[column] + lane;
      int last = LANES * bins[plane] + lane;
      long sum = target[own];
      target[own] = target[last];
      target[last] = sum;
    }
  }
}
