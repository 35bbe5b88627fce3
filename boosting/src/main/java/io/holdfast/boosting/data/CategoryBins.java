package io.holdfast.boosting.data;

import java.util.Arrays;

/** The bins of a categorical column: one for each category that is kept. Stateless. */
final class CategoryBins {
  private CategoryBins() {}

  /**
   * The codes that occur, at most {@code maxBins}, ascending; of more the heaviest, of equally
   * heavy ones the lower.
   *
   * @param values the first {@code size} are the column's
   * @param categories codes there are
   */
  static int[] kept(double[] values, int size, double[] weights, int categories, int maxBins) {
    double[] mass = new double[categories];
    for (int row = 0; row < size; row++) {
      int code = code(values[row], categories);
      if (code >= 0) {
        mass[code] += weights[row];
      }
    }
    int[] codes = new int[categories];
    int present = 0;
    for (int code = 0; code < categories; code++) {
      if (mass[code] > 0) {
        codes[present++] = code;
      }
    }
    codes = Arrays.copyOf(codes, present);
    if (present <= maxBins) {
      return codes;
    }
    int[] heaviest =
        Arrays.stream(codes)
            .boxed()
            .sorted((a, b) -> Double.compare(mass[b], mass[a])) // stable: lower codes first
            .limit(maxBins)
            .mapToInt(Integer::intValue)
            .toArray();
    Arrays.sort(heaviest);
    return heaviest;
  }

  /** The bin of each code up to the last that is kept; the number of bins for what is not. */
  static int[] binOfCode(int[] kept) {
    int[] bins = new int[kept.length == 0 ? 0 : kept[kept.length - 1] + 1];
    Arrays.fill(bins, kept.length);
    for (int bin = 0; bin < kept.length; bin++) {
      bins[kept[bin]] = bin;
    }
    return bins;
  }

  /** The bin of a value; {@code missing} if it is no code that is kept. */
  static int bin(double value, int[] binOfCode, int missing) {
    int code = code(value, binOfCode.length);
    return code < 0 ? missing : binOfCode[code];
  }

  /** The code of a category; −1 for what is none of them. */
  private static int code(double value, int categories) {
    int code = (int) value;
    return code == value && code >= 0 && code < categories ? code : -1;
  }
}
