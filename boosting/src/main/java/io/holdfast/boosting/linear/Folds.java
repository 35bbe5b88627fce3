package io.holdfast.boosting.linear;

import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What rows a strength is tried on, and with it what rows it is learned from. */
public enum Folds {
  /** A fifth of the rows, drawn by a seed; learned from the others. */
  ROWS,
  /**
   * A sixth of the rows in their order, learned from all before them: the first is only learned.
   */
  TIME,
  /** A fifth of the environments, or one if there are fewer; learned from the others. */
  ENVIRONMENT;

  private static final int PARTS = 5;

  /**
   * Rows to learn from and rows to try on, ascending.
   *
   * <p>The arrays are not copied: they stay in this package and the one that trains.
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Fold(int[] train, int[] test) {}

  /** The folds of these rows; none that has no row on either side. */
  public List<Fold> of(Rows rows, long seed) {
    int size = rows.size();
    int[] part = new int[size];
    int parts = PARTS;
    switch (this) {
      case ROWS -> {
        var random = new SplittableRandom(seed);
        for (int row = 0; row < size; row++) {
          part[row] = random.nextInt(PARTS);
        }
      }
      case TIME -> {
        parts = PARTS + 1;
        for (int row = 0; row < size; row++) {
          part[row] = (int) ((long) row * parts / size);
        }
      }
      case ENVIRONMENT -> {
        for (int row = 0; row < size; row++) {
          part[row] = rows.environment(row) % PARTS;
        }
      }
    }
    List<Fold> folds = new ArrayList<>();
    for (int held = 0; held < parts; held++) {
      int test = held;
      IntPredicate learned = this == TIME ? row -> part[row] < test : row -> part[row] != test;
      int[] train = IntStream.range(0, size).filter(learned).toArray();
      int[] tried = IntStream.range(0, size).filter(row -> part[row] == test).toArray();
      if (train.length > 0 && tried.length > 0) {
        folds.add(new Fold(train, tried));
      }
    }
    return folds;
  }
}
