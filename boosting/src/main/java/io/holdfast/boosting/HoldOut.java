package io.holdfast.boosting;

import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Rows that each training keeps apart from those that it is given, to tell when to stop.
 *
 * @param share of the rows, drawn by the seed: above 0 and below 1
 * @param patience rounds without improvement that end training, 1 or more
 * @param criterion what is made of the losses of their environments
 */
public record HoldOut(double share, int patience, Criterion criterion) {
  /** With fewer rows on either side nothing is kept apart. */
  private static final int LEAST_ROWS = 10;

  public HoldOut {
    Check.that(share > 0 && share < 1, "the share held out must be above 0 and below 1: %s", share);
    Check.that(patience >= 1, "patience must be at least 1: %s", patience);
  }

  /** By the mean of environments. */
  public HoldOut(double share, int patience) {
    this(share, patience, new Criterion.Mean());
  }

  record Divided(Rows rows, EarlyStopping stopping) {}

  /** Whether there are enough rows. */
  boolean divides(Rows rows) {
    return Math.min(share, 1 - share) * rows.size() >= LEAST_ROWS;
  }

  /** The rows, divided; each has the same chance to be held out, and the last may be, too. */
  Divided divide(Rows rows, long seed) {
    var random = new SplittableRandom(seed);
    boolean[] held = new boolean[rows.size()];
    int left = (int) (share * held.length);
    for (int row = 0; row < held.length; row++) {
      held[row] = random.nextInt(held.length - row) < left; // Knuth's algorithm S
      left -= held[row] ? 1 : 0;
    }
    int[] validation = IntStream.range(0, held.length).filter(row -> held[row]).toArray();
    int[] training = IntStream.range(0, held.length).filter(row -> !held[row]).toArray();
    return new Divided(
        rows.subset(training), new EarlyStopping(rows.subset(validation), criterion, patience));
  }
}
