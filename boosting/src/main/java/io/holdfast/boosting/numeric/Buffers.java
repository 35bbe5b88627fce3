package io.holdfast.boosting.numeric;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A pool of large arrays for repeated work of about the same size, such as training on one window
 * after the other. Owned by one thread at a time.
 *
 * <p>An array has at least the entries asked for, often more, with any content. It belongs to the
 * caller until the next {@link #recycle}.
 */
public final class Buffers {
  private final Shelf<double[]> doubles = new Shelf<>(double[]::new);
  private final Shelf<long[]> longs = new Shelf<>(long[]::new);
  private final Shelf<int[]> ints = new Shelf<>(int[]::new);
  private final Shelf<char[]> chars = new Shelf<>(char[]::new);
  private final Shelf<byte[]> bytes = new Shelf<>(byte[]::new);

  /** Takes all arrays back; those unused since the last time are dropped. */
  public void recycle() {
    doubles.recycle();
    longs.recycle();
    ints.recycle();
    chars.recycle();
    bytes.recycle();
  }

  public double[] doubles(int size) {
    return doubles.take(size);
  }

  public long[] longs(int size) {
    return longs.take(size);
  }

  public int[] ints(int size) {
    return ints.take(size);
  }

  public char[] chars(int size) {
    return chars.take(size);
  }

  public byte[] bytes(int size) {
    return bytes.take(size);
  }

  /** {@code count} arrays of {@code size} entries. */
  public double[][] doubles(int count, int size) {
    double[][] arrays = new double[count][];
    Arrays.setAll(arrays, _ -> doubles(size));
    return arrays;
  }

  private static final class Shelf<T> {
    private static final int MOST = Integer.MAX_VALUE - 8;
    private static final int WASTE = 5; // times the size asked for that an array may have

    private final IntFunction<T> maker;
    private final List<T> free = new ArrayList<>();
    private final List<T> taken = new ArrayList<>();

    Shelf(IntFunction<T> maker) {
      this.maker = maker;
    }

    T take(int size) {
      int best = -1;
      for (int k = 0; k < free.size(); k++) {
        int length = Array.getLength(free.get(k));
        if (length >= size
            && length / WASTE <= size
            && (best < 0 || length < Array.getLength(free.get(best)))) {
          best = k;
        }
      }
      T array = best >= 0 ? free.remove(best) : maker.apply((int) Math.min(size + size / 8L, MOST));
      taken.add(array);
      return array;
    }

    void recycle() {
      free.clear();
      free.addAll(taken);
      taken.clear();
    }
  }
}
