package io.holdfast.boosting.scoring;

import java.util.Arrays;

/** The rank of a number: how many of a feature's thresholds are below it. Immutable. */
final class ThresholdRanks {
  /*
   * The range of a feature's thresholds is cut into equal cells. A number's cell tells how many
   * thresholds lie in the cells before, all of them below it; those of its own cell are searched by
   * halving without branches: "threshold below number" is the sign of their difference, which is exact
   * for finite numbers (gradual underflow). Missing and infinite numbers go another way. Halving alone
   * takes three times as long.
   */
  private static final int MOST_CELLS = 1 << 12;

  private final double[] lowest;
  private final double[] cellsPerUnit;
  private final int[] lastCell;
  private final int[] cellStart;
  private final char[] before; // thresholds in the cells before, at most 2^16 - 1
  final int[] highest; // rank: the number of thresholds
  private final int[] half; // first step of a search within a cell: a power of 2; 0 for none
  private final int[] start;
  private final double[] thresholds;
  final boolean shortSearches; // no cell has more than one threshold

  /** Thresholds are ascending, each once, none NaN or −0. */
  ThresholdRanks(double[][] ofFeature) {
    int features = ofFeature.length;
    lowest = new double[features];
    cellsPerUnit = new double[features];
    lastCell = new int[features];
    cellStart = new int[features];
    highest = new int[features];
    half = new int[features];
    start = new int[features];
    char[][] tables = new char[features][];
    int cells = 0;
    int used = 0;
    for (int k = 0; k < features; k++) {
      highest[k] = ofFeature[k].length;
      tables[k] = cells(k, ofFeature[k]);
      cellStart[k] = cells;
      cells += tables[k].length;
      start[k] = used;
      used += highest[k] + 2 * half[k] - 1;
    }
    shortSearches = Arrays.stream(half).allMatch(step -> step == 1);
    before = new char[cells];
    thresholds = new double[used];
    Arrays.fill(thresholds, Double.POSITIVE_INFINITY); // a search may look past the last threshold
    for (int k = 0; k < features; k++) {
      System.arraycopy(tables[k], 0, before, cellStart[k], tables[k].length);
      System.arraycopy(ofFeature[k], 0, thresholds, start[k], highest[k]);
    }
  }

  /** Chooses the fewest cells whose longest search is the shortest. */
  private char[] cells(int k, double[] sorted) {
    char[] best = {0};
    int bestHalf = Integer.highestOneBit(sorted.length);
    half[k] = bestHalf;
    double low = sorted[0];
    double range = sorted[sorted.length - 1] - low;
    int length = Math.min(2 * Integer.highestOneBit(sorted.length), MOST_CELLS);
    // One cell if the range cannot be cut, or thresholds are more than a table can count.
    while (sorted.length <= Character.MAX_VALUE
        && range > 0
        && range < Double.POSITIVE_INFINITY
        && length <= MOST_CELLS
        && bestHalf > 1) {
      double perUnit = (length - 1) / range;
      char[] counts = new char[length + 1];
      for (double threshold : sorted) {
        counts[1 + cell(threshold, low, perUnit, length - 1)]++;
      }
      int most = 0;
      for (int cell = 1; cell <= length; cell++) {
        most = Math.max(most, counts[cell]);
        counts[cell] += counts[cell - 1];
      }
      if (perUnit < Double.POSITIVE_INFINITY && Integer.highestOneBit(most) < bestHalf) {
        bestHalf = Integer.highestOneBit(most);
        best = Arrays.copyOf(counts, length);
        half[k] = bestHalf;
        lowest[k] = low;
        cellsPerUnit[k] = perUnit;
      }
      length *= 2;
    }
    lastCell[k] = best.length - 1;
    return best;
  }

  private static int cell(double value, double lowest, double perUnit, int last) {
    return Math.max(0, Math.min((int) ((value - lowest) * perUnit), last));
  }

  /** The rank of a finite value of feature {@code k}. */
  int rank(int k, double value) {
    int at = start[k];
    int from = at + before[cellStart[k] + cell(value, lowest[k], cellsPerUnit[k], lastCell[k])];
    int found = from;
    for (int step = half[k]; step > 0; step >>= 1) {
      found += step * below(found + step - 1, value);
    }
    return found - at;
  }

  /** The ranks of a row of finite values. */
  void rankRow(double[] values, int[] ranks) {
    findCells(values, ranks);
    if (shortSearches) {
      for (int k = 0; k < start.length; k++) {
        int found = before[ranks[k]];
        ranks[k] = found + below(start[k] + found, values[k]);
      }
      return;
    }
    for (int k = 0; k < start.length; k++) {
      int found = before[ranks[k]];
      for (int step = half[k]; step > 0; step >>= 1) {
        found += step * below(start[k] + found + step - 1, values[k]);
      }
      ranks[k] = found;
    }
  }

  private void findCells(double[] values, int[] cells) {
    int[] cellStart = this.cellStart;
    double[] lowest = this.lowest;
    double[] cellsPerUnit = this.cellsPerUnit;
    int[] lastCell = this.lastCell;
    // A loop of its own, which the compiler vectorises.
    for (int k = 0; k < cellStart.length; k++) {
      cells[k] = cellStart[k] + cell(values[k], lowest[k], cellsPerUnit[k], lastCell[k]);
    }
  }

  /** The ranks of a row of finite values, as bytes of {@code offset} more; searches are short. */
  void rankRowInBytes(double[] values, int offset, int[] cells, byte[] ranks) {
    findCells(values, cells);
    for (int k = 0; k < start.length; k++) {
      int found = before[cells[k]];
      ranks[k] = (byte) (found + offset + below(start[k] + found, values[k]));
    }
  }

  /** The ranks of {@code values[0, rows)} of feature {@code k}, all finite. */
  void rank(int k, double[] values, int rows, int[] ranks) {
    double low = lowest[k];
    double perUnit = cellsPerUnit[k];
    int last = lastCell[k];
    // A loop of its own, which the compiler vectorises.
    for (int row = 0; row < rows; row++) {
      ranks[row] = cell(values[row], low, perUnit, last);
    }
    switch (half[k]) {
      case 1 -> searchOne(k, values, rows, ranks);
      case 2 -> searchThree(k, values, rows, ranks);
      default -> search(k, values, rows, ranks);
    }
  }

  /** Ranks from cells of at most one threshold, in a third of the general loop's time. */
  private void searchOne(int k, double[] values, int rows, int[] ranks) {
    int at = start[k];
    int firstCell = cellStart[k];
    for (int row = 0; row < rows; row++) {
      int found = before[firstCell + ranks[row]];
      ranks[row] = found + below(at + found, values[row]);
    }
  }

  /** Ranks from cells of at most three thresholds. */
  private void searchThree(int k, double[] values, int rows, int[] ranks) {
    int at = start[k];
    int firstCell = cellStart[k];
    for (int row = 0; row < rows; row++) {
      double value = values[row];
      int found = before[firstCell + ranks[row]];
      found += 2 * below(at + found + 1, value);
      ranks[row] = found + below(at + found, value);
    }
  }

  private void search(int k, double[] values, int rows, int[] ranks) {
    int at = start[k];
    int firstCell = cellStart[k];
    for (int row = 0; row < rows; row++) {
      double value = values[row];
      int found = before[firstCell + ranks[row]];
      for (int step = half[k]; step > 0; step >>= 1) {
        found += step * below(at + found + step - 1, value);
      }
      ranks[row] = found;
    }
  }

  /** 1 if a threshold is below a finite value, else 0. */
  private int below(int threshold, double value) {
    return (int) (Double.doubleToRawLongBits(thresholds[threshold] - value) >>> 63);
  }

  /** The rank of any value of feature {@code k}; -1 if it is missing. */
  int rankOrMissing(int k, double value) {
    if (Math.abs(value) <= Double.MAX_VALUE) {
      return rank(k, value);
    }
    if (Double.isNaN(value)) {
      return -1;
    }
    boolean lastIsInfinite = thresholds[start[k] + highest[k] - 1] == Double.POSITIVE_INFINITY;
    return value < 0 ? 0 : highest[k] - (lastIsInfinite ? 1 : 0);
  }

  long bytes() {
    return 8L * thresholds.length + 2L * before.length + 36L * highest.length;
  }
}
