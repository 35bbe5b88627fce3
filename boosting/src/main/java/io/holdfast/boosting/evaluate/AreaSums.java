package io.holdfast.boosting.evaluate;

import org.jspecify.annotations.Nullable;

/**
 * The area under the ROC curve of a stretch of a stream, from counts of scores that are nearly
 * equal: memory does not grow with the rows. Owned by one thread.
 */
final class AreaSums {
  /*
   * A score falls into a cell by its sign, exponent and first 8 bits of mantissa, so scores of a
   * cell differ by less than 1/256 of their size. Pairs within a cell count one half. Below 2^-30 in
   * size all are one cell with 0; beyond 2^20 they go to the last cell. The cells of a sign and an
   * exponent are a page of (zeros, ones), made when it is met: 4 KiB each, 101 at most.
   * Old rows fade by new ones weighing more: `unit` is what a row of weight 1 adds now.
   */
  private static final int MANTISSA_BITS = 8;
  private static final int CELLS = 1 << MANTISSA_BITS;
  private static final int DROPPED_BITS = 52 - MANTISSA_BITS;
  private static final double SMALLEST = 0x1p-30;
  private static final double LARGEST = 0x1p20;
  private static final int LEAST_EXPONENT = Math.getExponent(SMALLEST);
  private static final int EXPONENTS = Math.getExponent(LARGEST) - LEAST_EXPONENT + 1;
  private static final double RESCALED_ABOVE = 1e100;

  /** Ascending: negative scores, the one page of 0, positive scores. */
  private final double[] @Nullable [] pages = new double[2 * EXPONENTS + 1][];

  private double unit = 1;

  /** A row of class 1, or not. */
  void add(double score, boolean one, double weight) {
    double size = Math.min(Math.abs(score), LARGEST);
    int page = EXPONENTS;
    int cell = 0;
    if (size >= SMALLEST) {
      int magnitude = 1 + Math.getExponent(size) - LEAST_EXPONENT;
      int mantissa = (int) (Double.doubleToRawLongBits(size) >>> DROPPED_BITS) & (CELLS - 1);
      page += score < 0 ? -magnitude : magnitude;
      cell = score < 0 ? CELLS - 1 - mantissa : mantissa;
    }
    double[] cells = pages[page];
    if (cells == null) {
      cells = new double[2 * CELLS];
      pages[page] = cells;
    }
    cells[2 * cell + (one ? 1 : 0)] += weight * unit;
  }

  /** Makes all rows so far weigh less. */
  void fade(double factor) {
    unit /= factor;
    if (unit > RESCALED_ABOVE) {
      for (double[] cells : pages) {
        for (int k = 0; cells != null && k < cells.length; k++) {
          cells[k] /= unit;
        }
      }
      unit = 1;
    }
  }

  /** How likely a row of class 1 outscores another; NaN if there is one class only. */
  double area() {
    double pairs = 0;
    double below = 0;
    double ones = 0;
    for (double[] cells : pages) {
      for (int k = 0; cells != null && k < cells.length; k += 2) {
        pairs += cells[k + 1] * (below + 0.5 * cells[k]);
        below += cells[k];
        ones += cells[k + 1];
      }
    }
    return ones > 0 && below > 0 ? pairs / ones / below : Double.NaN;
  }
}
