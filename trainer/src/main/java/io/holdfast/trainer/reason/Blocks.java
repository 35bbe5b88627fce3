package io.holdfast.trainer.reason;

/**
 * Rows of two samples, each cut into blocks of consecutive rows: errors of means are told from
 * blocks, so that rows may resemble those next to them. Immutable.
 */
final class Blocks {
  private static final int LEAST = 20; // blocks of the smaller sample
  private static final int LONGEST = 50;

  private final int length;

  private Blocks(int length) {
    this.length = length;
  }

  /** For two samples of at least one row. */
  static Blocks of(int before, int now) {
    return new Blocks(Math.clamp(Math.min(before, now) / LEAST, 1, LONGEST));
  }

  /** How many blocks a sample has; the last has the rows that are left over, too. */
  int count(int rows) {
    return Math.max(1, rows / length);
  }

  int place(int row, int rows) {
    return Math.min(row / length, count(rows) - 1);
  }
}
