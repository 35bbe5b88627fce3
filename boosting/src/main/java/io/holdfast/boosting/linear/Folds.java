package io.holdfast.boosting.linear;

import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Folds of cross-validation for the strength of a linear base. */
public enum Folds {
  /** Tests a random fifth of the rows, learns from the others. */
  ROWS,
  /** Tests a sixth of the rows in their order, learns from all before. */
  TIME,
  /** Tests a fifth of the environments, at least one; learns from the others. */
  ENVIRONMENT;

  private static final int PARTS = 5;

  /** Rows to learn from and to test on, ascending. The arrays are not copied. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Fold(int[] train, int[] test) {}

  /** The folds of these rows that have rows on both sides. */
  public List<Fold> of(Rows rows, long seed) {
    int size = rows.size();
    int[] part = new int[size];
    int parts = this == TIME ? PARTS + 1 : PARTS;
    var random = new SplittableRandom(seed);
    for (int row = 0; row < size; row++) {
      part[row] =
          switch (this) {
            case ROWS -> random.nextInt(PARTS);
            case TIME -> (int) ((long) row * parts / size);
            case ENVIRONMENT -> rows.environment(row) % PARTS;
          };
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
