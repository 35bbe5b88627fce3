package io.holdfast.boosting.data;

import java.util.Arrays;

/** The bins of a categorical column with one for each category that occurs. Stateless. */
final class CategoryBins {
  private CategoryBins() {}

  /**
   * The codes that occur with weight, ascending.
   *
   * @param codeOf the first {@code size} are those of rows; −1 for what is missing
   * @param categories codes there are
   */
  static int[] present(int[] codeOf, int size, double[] weights, int categories) {
    boolean[] found = new boolean[categories];
    int present = 0;
    for (int row = 0; row < size; row++) {
      int code = codeOf[row];
      if (code >= 0 && !found[code] && weights[row] > 0) {
        found[code] = true;
        present++;
      }
    }
    int[] codes = new int[present];
    for (int code = 0, k = 0; code < categories; code++) {
      if (found[code]) {
        codes[k++] = code;
      }
    }
    return codes;
  }

  /** The bin of each code; the number of bins for what does not occur. */
  static int[] binOfCode(int[] kept, int categories) {
    int[] bins = new int[categories];
    Arrays.fill(bins, kept.length);
    for (int bin = 0; bin < kept.length; bin++) {
      bins[kept[bin]] = bin;
    }
    return bins;
  }

  /** Writes the codes of the first {@code size} values; −1 for what is none. */
  static void codes(double[] values, int size, int categories, int[] target) {
    for (int row = 0; row < size; row++) {
      target[row] = code(values[row], categories);
    }
  }

  /** The code of a category; −1 for what is none of them. */
  private static int code(double value, int categories) {
    int code = (int) value;
    return code == value && code >= 0 && code < categories ? code : -1;
  }
}
