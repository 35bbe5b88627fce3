package io.holdfast.boosting.tree;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What a tree's structure is learned from; its leaf values are always learned from all rows.
 *
 * @param rows share of the rows that each round draws, by their place; above 0, at most 1
 * @param features share of the features that each tree may use, one at least; above 0, at most 1
 */
public record Sampling(double rows, double features) {
  /** Everything. */
  public static final Sampling ALL = new Sampling(1, 1);

  public Sampling {
    Check.that(rows > 0 && rows <= 1, "sampling.rows must be above 0 and at most 1: %s", rows);
    boolean share = features > 0 && features <= 1;
    Check.that(share, "sampling.features must be above 0 and at most 1: %s", features);
  }

  /** Seeded samples of row and column numbers. Stateless: they depend on the arguments only. */
  static final class Draws {
    /** What the sample is of: it goes into the seed, so that one seed serves both. */
    enum Purpose {
      ROWS,
      COLUMNS
    }

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Draws() {}

    /**
     * Writes a share of the numbers below {@code size}, ascending, one or more; returns how many.
     */
    static int draw(long seed, Purpose purpose, int size, double share, int[] target) {
      int wanted = (int) Math.max(Math.min(1, size), Math.round(share * size));
      if (wanted == size) {
        for (int k = 0; k < size; k++) {
          target[k] = k;
        }
        return size;
      }
      // Hashed: a seed one golden step further would be the same stream, shifted by one draw.
      var random = new SplittableRandom(mix(mix(seed) + (purpose == Purpose.ROWS ? 1 : 2)));
      int taken = 0;
      for (int k = 0; taken < wanted; k++) {
        if (random.nextInt(size - k) < wanted - taken) { // Knuth 3.4.2, algorithm S
          target[taken++] = k;
        }
      }
      return wanted;
    }

    static int[] of(long seed, Purpose purpose, int size, double share) {
      int[] chosen = new int[size];
      return Arrays.copyOf(chosen, draw(seed, purpose, size, share, chosen));
    }

    /** Writes the numbers below {@code size} that are not among the {@code count} chosen ones. */
    static int rest(int[] chosen, int count, int size, int[] target) {
      int at = 0;
      int next = 0;
      for (int k = 0; k < size && at < size - count; k++) {
        if (next < count && chosen[next] == k) {
          next++;
        } else {
          target[at++] = k;
        }
      }
      return at;
    }

    private static long mix(long value) { // the finaliser of SplitMix64
      long mixed = value + GOLDEN;
      mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
      mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
      return mixed ^ (mixed >>> 31);
    }
  }
}
