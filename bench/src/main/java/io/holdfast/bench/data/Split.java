package io.holdfast.bench.data;

import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Rows to train on and rows to test on, both in the order that they had. Immutable. */
public record Split(Rows train, Rows test) {
  /** The first {@code share} of the rows to train on: of rows in order of time, the past. */
  public static Split inOrder(Rows rows, double share) {
    int first = (int) Math.round(share * rows.size());
    boolean[] training = new boolean[rows.size()];
    Arrays.fill(training, 0, first, true);
    return of(rows, training);
  }

  /** Of each environment a seeded draw of that share to train on, rounded to whole rows. */
  public static Split stratified(Rows rows, double share, long seed) {
    int[] order = shuffled(rows.size(), seed);
    int[] left = new int[rows.environments().size()];
    for (int row = 0; row < rows.size(); row++) {
      left[rows.environment(row)]++;
    }
    for (int environment = 0; environment < left.length; environment++) {
      left[environment] = (int) Math.round(share * left[environment]);
    }
    boolean[] training = new boolean[rows.size()];
    for (int row : order) {
      training[row] = left[rows.environment(row)]-- > 0;
    }
    return of(rows, training);
  }

  /** All environments but one to train on, and that one to test on. */
  public static Split leavingOut(Rows rows, int environment) {
    boolean[] training = new boolean[rows.size()];
    for (int row = 0; row < training.length; row++) {
      training[row] = rows.environment(row) != environment;
    }
    return of(rows, training);
  }

  /** A seeded draw of that many rows, in the order that they had; all if there are no more. */
  public static Rows sample(Rows rows, int size, long seed) {
    if (size >= rows.size()) {
      return rows;
    }
    int[] drawn = Arrays.copyOf(shuffled(rows.size(), seed), size);
    Arrays.sort(drawn);
    return rows.subset(drawn);
  }

  private static Split of(Rows rows, boolean[] training) {
    int[] train = new int[rows.size()];
    int[] test = new int[rows.size()];
    int trains = 0;
    for (int row = 0; row < training.length; row++) {
      if (training[row]) {
        train[trains++] = row;
      } else {
        test[row - trains] = row;
      }
    }
    return new Split(
        rows.subset(Arrays.copyOf(train, trains)),
        rows.subset(Arrays.copyOf(test, rows.size() - trains)));
  }

  private static int[] shuffled(int size, long seed) {
    var random = new SplittableRandom(seed);
    int[] order = new int[size];
    for (int place = 0; place < size; place++) {
      int other = random.nextInt(place + 1);
      order[place] = order[other];
      order[other] = place;
    }
    return order;
  }
}
