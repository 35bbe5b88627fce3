package io.holdfast.boosting.evaluate;

import java.util.Map;
import java.util.TreeMap;

/**
 * The area under the ROC curve of a stretch of a stream, from counts of scores that are nearly
 * equal: memory does not grow with the rows. Owned by one thread.
 */
final class AreaSums {
  /*
   * A score falls into a cell by its sign, exponent and first 8 bits of mantissa, so scores of a
   * cell differ by less than 1/256 of their size. Pairs within a cell count one half. Below 2^-30 in
   * size all are one cell with 0; beyond 2^20 they go to the last cell: 26,000 cells at most, of
   * which those that are met take memory.
   * Old rows fade by new ones weighing more: `unit` is what a row of weight 1 adds now.
   */
  private static final int MANTISSA_BITS = 8;
  private static final int DROPPED_BITS = 52 - MANTISSA_BITS;
  private static final double SMALLEST = 0x1p-30;
  private static final double LARGEST = 0x1p20;
  private static final double RESCALED_ABOVE = 1e100;

  private final TreeMap<Integer, Cell> cells = new TreeMap<>();
  private double unit = 1;

  private static final class Cell {
    private double zeros;
    private double ones;
  }

  /** A row of class 1, or not. */
  void add(double score, boolean one, double weight) {
    Cell cell = cells.computeIfAbsent(key(score), key -> new Cell());
    if (one) {
      cell.ones += weight * unit;
    } else {
      cell.zeros += weight * unit;
    }
  }

  /** Makes all rows so far weigh less. */
  void fade(double factor) {
    unit /= factor;
    if (unit > RESCALED_ABOVE) {
      for (Cell cell : cells.values()) {
        cell.zeros /= unit;
        cell.ones /= unit;
      }
      unit = 1;
    }
  }

  /** How likely a row of class 1 outscores another; NaN if there is one class only. */
  double area() {
    double pairs = 0;
    double below = 0;
    double ones = 0;
    for (Map.Entry<Integer, Cell> entry : cells.entrySet()) {
      Cell cell = entry.getValue();
      pairs += cell.ones * (below + 0.5 * cell.zeros);
      below += cell.zeros;
      ones += cell.ones;
    }
    return ones > 0 && below > 0 ? pairs / ones / below : Double.NaN;
  }

  private static int key(double score) {
    double size = Math.min(Math.abs(score), LARGEST);
    if (!(size >= SMALLEST)) {
      return 0;
    }
    int magnitude = (int) (Double.doubleToRawLongBits(size) >>> DROPPED_BITS);
    return score < 0 ? -magnitude : magnitude;
  }
}
