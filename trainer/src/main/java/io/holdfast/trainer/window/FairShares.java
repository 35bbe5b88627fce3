package io.holdfast.trainer.window;

import java.util.Arrays;

/** Max-min fair shares of a budget (water-filling). Stateless. */
final class FairShares {
  /** The level at which all get what they want. */
  static final int ALL = Integer.MAX_VALUE - 1;

  private FairShares() {}

  /**
   * The water level: the largest number within the budget when each gets its {@link #share}. What
   * is left over is less than one for each that wants more.
   *
   * @param due what each gets in any case, no more than it wants
   */
  static int level(int[] wants, int[] due, int budget) {
    int most = Arrays.stream(wants).max().orElse(0);
    if (taken(wants, due, most) <= budget) {
      return ALL;
    }
    int low = 0;
    int high = Math.max(0, most - 1);
    while (low < high) {
      int middle = low + (high - low + 1) / 2;
      if (taken(wants, due, middle) <= budget) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static long taken(int[] wants, int[] due, int level) {
    long taken = 0;
    for (int k = 0; k < wants.length; k++) {
      taken += share(wants[k], due[k], level);
    }
    return taken;
  }

  /** What one gets at a water level. */
  static int share(int want, int due, int level) {
    return Math.max(due, Math.min(want, level));
  }
}
