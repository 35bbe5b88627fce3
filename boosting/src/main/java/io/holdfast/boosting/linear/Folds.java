package io.holdfast.boosting.linear;

import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Folds of cross-validation: of n folds each tests another part of the rows. */
public enum Folds {
  /** Tests a random nth of the rows, learns from the others. */
  ROWS,
  /**
   * Tests one of the later n of n + 1 stretches of the rows in their order, learns from all before.
   */
  TIME,
  /** Tests an nth of the environments, at least one; learns from the others. */
  ENVIRONMENT;

  private static final int PARTS = 5;

  /** Rows to learn from and to test on, ascending. The arrays are not copied. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Fold(int[] train, int[] test) {}

  /** Five folds, or those of them that have rows on both sides. */
  public List<Fold> of(Rows rows, long seed) {
    return of(rows, PARTS, seed);
  }

  /** So many folds of these rows, or those of them that have rows on both sides. */
  public List<Fold> of(Rows rows, int folds, long seed) {
    int size = rows.size();
    int[] part = new int[size];
    int parts = this == TIME ? folds + 1 : folds;
    var random = new SplittableRandom(seed);
    for (int row = 0; row < size; row++) {
      part[row] =
          switch (this) {
            case ROWS -> random.nextInt(folds);
            case TIME -> (int) ((long) row * parts / size);
            case ENVIRONMENT -> rows.environment(row) % folds;
          };
    }
    List<Fold> made = new ArrayList<>();
    for (int held = 0; held < parts; held++) {
      int test = held;
      IntPredicate learned = this == TIME ? row -> part[row] < test : row -> part[row] != test;
      int[] train = IntStream.range(0, size).filter(learned).toArray();
      int[] tried = IntStream.range(0, size).filter(row -> part[row] == test).toArray();
      if (train.length > 0 && tried.length > 0) {
        made.add(new Fold(train, tried));
      }
    }
    return made;
  }
}
