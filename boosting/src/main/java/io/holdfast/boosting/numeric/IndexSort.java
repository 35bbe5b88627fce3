package io.holdfast.boosting.numeric;

/** Sorts indices by a key of each. Stateless; arrays are the caller's. */
public final class IndexSort {
  private IndexSort() {}

  /**
   * Sorts {@code indices[0, n)} by ascending {@code keys[index]}, stably: a bottom-up merge sort.
   *
   * @param keys none of them NaN
   * @param scratch of length n at least
   */
  public static void ascending(int[] indices, int n, double[] keys, int[] scratch) {
    for (int run = 1; run < n; run *= 2) {
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
}
