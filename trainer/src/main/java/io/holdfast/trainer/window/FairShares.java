package io.holdfast.trainer.window;

import java.util.Map;

/** Shares a budget fairly among those who want more or less of it. Stateless. */
final class FairShares {
  private FairShares() {}

  /**
   * The water level: the largest number such that all together stay within the budget when each
   * gets what it wants up to that number, or what is due to it if that is more. What is left over
   * is less than one for each of those who want more; a level of {@link Integer#MAX_VALUE} - 1
   * gives all what they want.
   *
   * @param due what each gets in any case, no more than it wants; 0 where it says nothing
   */
  static int level(Map<String, Integer> wants, Map<String, Integer> due, int budget) {
    int[] wanted = new int[wants.size()];
    int[] owed = new int[wanted.length];
    int most = 0;
    int count = 0;
    for (Map.Entry<String, Integer> want : wants.entrySet()) {
      wanted[count] = want.getValue();
      owed[count++] = due.getOrDefault(want.getKey(), 0);
      most = Math.max(most, want.getValue());
    }
    if (taken(wanted, owed, most) <= budget) {
      return Integer.MAX_VALUE - 1; // beyond what is wanted it makes no difference
    }
    int low = 0;
    int high = Math.max(0, most - 1);
    while (low < high) {
      int middle = low + (high - low + 1) / 2;
      if (taken(wanted, owed, middle) <= budget) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static long taken(int[] wanted, int[] owed, int level) {
    long taken = 0;
    for (int k = 0; k < wanted.length; k++) {
      taken += share(wanted[k], owed[k], level);
    }
    return taken;
  }

  /** What one gets who wants so much, has so much due, and stands in water of that level. */
  static int share(int want, int due, int level) {
    return Math.max(due, Math.min(want, level));
  }
}
