package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;

/** Values in buckets, each sorted only when asked for. Scratch is reused: not thread-safe. */
final class BucketSort {
  /*
   * The range of the values is cut into cells of the same width, about one a value; those that hold
   * values are the buckets. A bucket that holds many, by values on very different scales, is cut again
   * when it is to be sorted, and what many are in then is left to Arrays.sort(). Rounding may put a
   * value into a neighbouring cell, but never orders two the wrong way round.
   *
   * Faster than Arrays.sort(), whose branches on random values cannot be predicted. Beyond MOST cells
   * their counts do not stay in a core's cache.
   */
  private static final int MOST = 1 << 14; // cells
  private static final int FEW = 32; // values that are inserted one after the other
  private static final int MANY = 256; // values of a bucket that is cut once more
  private static final int CUTS = 3;
  private static final double FAR = 1e150; // values beyond are left out of the range

  private final Buffers buffers;
  final double[] sorted; // the values, bucket by bucket
  private final double[] scratch;
  private final Cut[] cuts = new Cut[CUTS];

  /** For at most so many values; {@code scratch} has as many entries. */
  BucketSort(int values, double[] scratch, Buffers buffers) {
    this.buffers = buffers;
    this.scratch = scratch;
    sorted = buffers.doubles(values);
  }

  /** Turns to the first {@code size} values but NaN; returns how many. −0 becomes 0. */
  int distribute(double[] values, int size) {
    int present = 0;
    for (int row = 0; row < size; row++) {
      double value = values[row];
      scratch[present] = value + 0.0; // makes −0 into 0
      present += Double.isNaN(value) ? 0 : 1;
    }
    cut(0).distribute(scratch, sorted, 0, present);
    return present;
  }

  /** The number of buckets; none is empty. */
  int buckets() {
    return cuts[0].buckets;
  }

  /** Where a bucket begins among the sorted; of the one after the last, how many there are. */
  int start(int bucket) {
    return cuts[0].starts[bucket];
  }

  void sort(int bucket) {
    sort(start(bucket), start(bucket + 1), 1);
  }

  void sortAll() {
    for (int bucket = 0; bucket < buckets(); bucket++) {
      sort(bucket);
    }
  }

  private void sort(int from, int to, int depth) {
    int size = to - from;
    if (size <= FEW) {
      insert(sorted, from, to);
    } else if (size <= MANY || depth == CUTS) {
      Arrays.sort(sorted, from, to);
    } else {
      System.arraycopy(sorted, from, scratch, from, size);
      Cut cut = cut(depth);
      cut.distribute(scratch, sorted, from, to);
      if (cut.buckets == 1) { // mostly equal values, which it sorts at once
        Arrays.sort(sorted, from, to);
        return;
      }
      for (int bucket = 0; bucket < cut.buckets; bucket++) {
        sort(cut.starts[bucket], cut.starts[bucket + 1], depth + 1);
      }
    }
  }

  private Cut cut(int depth) {
    if (cuts[depth] == null) {
      cuts[depth] = new Cut(Math.min(MOST, Math.max(1, sorted.length)), buffers);
    }
    return cuts[depth];
  }

  private static void insert(double[] values, int from, int to) {
    for (int k = from + 1; k < to; k++) {
      double value = values[k];
      int at = k;
      for (; at > from && values[at - 1] > value; at--) {
        values[at] = values[at - 1];
      }
      values[at] = value;
    }
  }

  /** Cells of the same width. */
  private static final class Cut {
    private final int cells;
    private final int[] next; // by cell: where its next value goes
    private final int[] starts;
    private int buckets;
    private int last; // cell
    private double low;
    private double scale;

    Cut(int cells, Buffers buffers) {
      this.cells = cells;
      next = buffers.ints(cells);
      starts = buffers.ints(cells + 1);
    }

    /** Copies {@code source[from, to)} to the same places of {@code target}, bucket by bucket. */
    void distribute(double[] source, double[] target, int from, int to) {
      last = Math.max(0, Math.min(cells, to - from) - 1);
      range(source, from, to);
      Arrays.fill(next, 0, last + 1, 0);
      count(source, from, to);
      place(from, to);
      move(source, target, from, to);
    }

    private void range(double[] source, int from, int to) {
      double least = FAR;
      double most = -FAR;
      for (int k = from; k < to; k++) {
        double value = source[k];
        least = value < least ? value : least;
        most = value > most ? value : most;
      }
      low = Math.max(least, -FAR);
      scale = last / (Math.min(most, FAR) - low);
      if (!(scale > 0 && scale < FAR)) {
        low = 0;
        scale = 1;
      }
    }

    private void count(double[] source, int from, int to) {
      int[] counts = next;
      int end = last;
      double lowest = low;
      double factor = scale;
      for (int k = from; k < to; k++) {
        counts[cell(source[k], lowest, factor, end)]++;
      }
    }

    private void place(int from, int to) {
      int at = from;
      int bucket = 0;
      for (int cell = 0; cell <= last; cell++) {
        int size = next[cell];
        next[cell] = at;
        starts[bucket] = at;
        bucket += size > 0 ? 1 : 0; // no branch: it could not be guessed
        at += size;
      }
      starts[bucket] = to;
      buckets = bucket;
    }

    private void move(double[] source, double[] target, int from, int to) {
      int[] places = next;
      int end = last;
      double lowest = low;
      double factor = scale;
      for (int k = from; k < to; k++) {
        double value = source[k];
        target[places[cell(value, lowest, factor, end)]++] = value;
      }
    }

    private static int cell(double value, double low, double scale, int last) {
      return Math.min(Math.max((int) ((value - low) * scale), 0), last);
    }
  }
}
