package io.holdfast.trainer.window;

/** Shares a budget fairly among those who want more or less of it. Stateless. */
final class FairShares {
  /** The level that gives all what they want. */
  static final int ALL = Integer.MAX_VALUE - 1;

  private FairShares() {}

  /**
   * The water level: the largest number such that all together stay within the budget when each
   * gets what it wants up to that number, or what is due to it if that is more. What is left over
   * is less than one for each of those who want more; a level of {@link #ALL} gives all what they
   * want.
   *
   * @param due what each gets in any case, no more than it wants
   */
  static int level(int[] wants, int[] due, int budget) {
    int most = 0;
    for (int want : wants) {
      most = Math.max(most, want);
    }
    if (taken(wants, due, most) <= budget) {
      return ALL; // beyond what is wanted it makes no difference
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

  /** What one gets who wants so much, has so much due, and stands in water of that level. */
  static int share(int want, int due, int level) {
    return Math.max(due, Math.min(want, level));
  }
}
