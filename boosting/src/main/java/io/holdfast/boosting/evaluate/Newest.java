package io.holdfast.boosting.evaluate;

import java.util.Arrays;

/**
 * The figures of the newest rows: a weight, and four others that count by it. Owned by one thread;
 * allocates nothing a row.
 */
final class Newest {
  /*
   * A ring that grows up to its bound. Sums are taken anew when the first is asked for: one that
   * rows were taken off would not be a function of the rows.
   */
  private static final int FIRST_ROOM = 16;
  private static final int WIDTH = 5;
  private static final int STRETCHES = 25;

  private final int bound;
  private double[] figures;
  private int size;
  private int next;
  private final double[] sums = new double[WIDTH];
  private boolean summed;

  Newest(int bound) {
    this.bound = bound;
    figures = new double[Math.min(bound, FIRST_ROOM) * WIDTH];
  }

  /** The next row; the weight is figure 0. */
  void add(double weight, double first, double second, double third, double fourth) {
    if (size < bound && size * WIDTH == figures.length) {
      figures = Arrays.copyOf(figures, (int) Math.min(bound, 2L * size) * WIDTH);
    }
    int at = next * WIDTH;
    figures[at] = weight;
    figures[at + 1] = weight * first;
    figures[at + 2] = weight * second;
    figures[at + 3] = weight * third;
    figures[at + 4] = weight * fourth;
    next = next + 1 == bound ? 0 : next + 1;
    size = Math.min(bound, size + 1);
    summed = false;
  }

  int size() {
    return size;
  }

  /**
   * The sum of squares of what figure {@code came} is above {@code factor} times figure {@code
   * said} and {@code gap}, by weight: stretches of rows are summed before they are squared, since
   * rows beside each other err alike.
   */
  double squares(int came, int said, double factor, double gap) {
    int stretch = Math.max(1, (size + STRETCHES - 1) / STRETCHES);
    int oldest = size < bound ? 0 : next;
    double squares = 0;
    for (int from = 0; from < size; from += stretch) {
      double sum = 0;
      for (int row = from; row < Math.min(size, from + stretch); row++) {
        int at = (oldest + row) % bound * WIDTH;
        sum += figures[at + came] - factor * figures[at + said] - gap * figures[at];
      }
      squares += sum * sum;
    }
    return squares;
  }

  /** The sum of squared weights. */
  double squaredWeights() {
    double sum = 0;
    for (int at = 0; at < size * WIDTH; at += WIDTH) {
      sum += figures[at] * figures[at];
    }
    return sum;
  }

  double sum(int figure) {
    if (!summed) {
      Arrays.fill(sums, 0);
      for (int at = 0; at < size * WIDTH; at += WIDTH) {
        for (int k = 0; k < WIDTH; k++) {
          sums[k] += figures[at + k];
        }
      }
      summed = true;
    }
    return sums[figure];
  }
}
