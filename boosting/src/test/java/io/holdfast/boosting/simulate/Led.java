package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The digit on a display of seven segments, of which each is wrong one time in ten, among 17
 * segments that mean nothing. Concepts differ in how many of the seven have changed places with
 * meaningless ones. Breiman et al., "Classification and Regression Trees", 1984, section 2.6.
 */
final class Led implements Concept {
  private static final int SEGMENTS = 7;
  private static final int COLUMNS = 24;
  private static final double NOISE = 0.1;

  /** Bit k of a digit: whether segment k lights. Top, left, right, middle, left, right, bottom. */
  private static final int[] DIGITS = {
    0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110, 0b1101011, 0b1111011, 0b0100101,
    0b1111111, 0b1101111
  };

  private final int[] columnOf = new int[COLUMNS];

  /** With the first {@code swapped} of the seven segments in other columns. */
  Led(int swapped) {
    Check.that(swapped >= 0 && swapped <= SEGMENTS, "LED can swap 0 to 7 segments: %s", swapped);
    for (int k = 0; k < COLUMNS; k++) {
      columnOf[k] = k;
    }
    for (int k = 0; k < swapped; k++) {
      columnOf[k] = SEGMENTS + k;
      columnOf[SEGMENTS + k] = k;
    }
  }

  @Override
  public List<Feature> features() {
    List<Feature> features = new ArrayList<>();
    for (int k = 1; k <= COLUMNS; k++) {
      features.add(Columns.categorical("segment" + k, "", 0, 2));
    }
    return List.copyOf(features);
  }

  @Override
  public int classes() {
    return DIGITS.length;
  }

  @Override
  public int draw(SplittableRandom random, double[] features) {
    int digit = random.nextInt(DIGITS.length);
    for (int k = 0; k < COLUMNS; k++) {
      int light = k < SEGMENTS ? DIGITS[digit] >> k & 1 : random.nextInt(2);
      boolean wrong = k < SEGMENTS && random.nextDouble() < NOISE;
      features[columnOf[k]] = wrong ? 1 - light : light;
    }
    return digit;
  }
}
