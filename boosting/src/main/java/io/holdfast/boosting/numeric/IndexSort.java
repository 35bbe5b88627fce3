package io.holdfast.boosting.numeric;

/** Sorts indices by a key of each. Stateless; arrays are the caller's. */
public final class IndexSort {
  private static final int INSERTED = 16; // indices that are sorted by insertion

  private IndexSort() {}

  /**
   * Sorts {@code indices[0, n)} by ascending {@code keys[index]}, stably: a bottom-up merge sort of
   * runs that are sorted by insertion.
   *
   * @param keys none of them NaN
   * @param scratch of length n at least
   */
  public static void ascending(int[] indices, int n, double[] keys, int[] scratch) {
    for (int from = 0; from < n; from += INSERTED) {
      insert(indices, from, Math.min(from + INSERTED, n), keys);
    }
    for (int run = INSERTED; run < n; run *= 2) {
      for (int from = 0; from < n; from += 2 * run) {
        int middle = Math.min(from + run, n);
        int end = Math.min(from + 2 * run, n);
        int a = from;
        int b = middle;
        for (int k = from; k < end; k++) {
          boolean takeFirst = b == end || (a < middle && keys[indices[a]] <= keys[indices[b]]);
          scratch[k] = takeFirst ? indices[a++] : indices[b++];
        }
      }
      System.arraycopy(scratch, 0, indices, 0, n);
    }
  }

  private static void insert(int[] indices, int from, int to, double[] keys) {
    for (int k = from + 1; k < to; k++) {
      int index = indices[k];
      double key = keys[index];
      int place = k;
      while (place > from && keys[indices[place - 1]] > key) {
        indices[place] = indices[place - 1];
        place--;
      }
      indices[place] = index;
    }
  }
}
