package io.holdfast.trainer.window;

import java.util.Arrays;
import java.util.Collections;
import java.util.TreeSet;

/**
 * How many rows of each environment a buffer may hold. The stretches take of these shares, newest
 * first. Owned by one thread.
 */
final class EnvironmentShares {
  /*
   * There may be a version for every few rows, each with its shares: so environments go by their
   * place in one sorted list, in plain loops.
   */
  /** The share of the newest rows, whatever their environment. */
  private static final double NEWEST_SHARE = 0.75;

  /** So many places are scanned before a binary search: most stretches have all environments. */
  private static final int NEAR = 8;

  private final RowSample[] stretches;
  private final String[] names;
  private final int[] wants;
  private final int[] left;

  /** Shares a budget of rows among stretches, oldest first. */
  EnvironmentShares(RowSample[] stretches, int budget) {
    this.stretches = stretches;
    names = names(stretches);
    wants = new int[names.length];
    for (RowSample stretch : stretches) {
      addTo(wants, stretch);
    }
    int[] due = newest((int) (budget * NEWEST_SHARE));
    int level = FairShares.level(wants, due, budget);
    left = new int[names.length];
    int over = budget;
    for (int k = 0; k < left.length; k++) {
      left[k] = FairShares.share(wants[k], due[k], level);
      over -= left[k];
    }
    if (over > 0 && level < FairShares.ALL) {
      spread(over, level);
    }
  }

  /** Gives rows that are left over to the environments seen last, one each. */
  private void spread(int rows, int level) {
    int over = rows;
    for (int i = stretches.length - 1; i >= 0; i--) {
      int place = -1;
      for (String name : stretches[i].names()) {
        place = place(names, name, place + 1);
        if (over > 0 && left[place] == level && level < wants[place]) {
          left[place]++;
          over--;
        }
      }
    }
  }

  /** How many of the newest {@code rows} rows each environment has. */
  private int[] newest(int rows) {
    int[] due = new int[names.length];
    int missing = rows;
    for (int i = stretches.length - 1; i >= 0 && missing > 0; i--) {
      RowSample stretch = stretches[i];
      if (stretch.size() <= missing) {
        addTo(due, stretch);
        missing -= stretch.size();
      } else {
        addNewest(due, stretch, missing);
        missing = 0;
      }
    }
    return due;
  }

  private void addNewest(int[] due, RowSample stretch, int rows) {
    int[] held = stretch.counts();
    int level = FairShares.level(held, new int[held.length], rows);
    int place = -1;
    for (int k = 0; k < held.length; k++) {
      place = place(names, stretch.names()[k], place + 1);
      due[place] += Math.min(held[k], level);
    }
  }

  private void addTo(int[] rows, RowSample stretch) {
    int place = -1;
    for (int k = 0; k < stretch.names().length; k++) {
      place = place(names, stretch.names()[k], place + 1);
      rows[place] += stretch.count(k);
    }
  }

  /** Takes off the shares what a stretch gets of them, by its environments. */
  int[] take(RowSample stretch) {
    int[] quotas = new int[stretch.names().length];
    int place = -1;
    for (int k = 0; k < quotas.length; k++) {
      place = place(names, stretch.names()[k], place + 1);
      quotas[k] = Math.min(stretch.count(k), left[place]);
      left[place] -= quotas[k];
    }
    return quotas;
  }

  /** All environments, in order. */
  private static String[] names(RowSample[] stretches) {
    String[] names = {};
    for (RowSample stretch : stretches) {
      if (!contain(names, stretch.names())) {
        TreeSet<String> all = new TreeSet<>(Arrays.asList(names));
        Collections.addAll(all, stretch.names());
        names = all.toArray(String[]::new);
      }
    }
    return names;
  }

  private static boolean contain(String[] names, String[] others) {
    int place = -1;
    for (String other : others) {
      place = place(names, other, place + 1);
      if (place < 0) {
        return false;
      }
    }
    return true;
  }

  /** The place of a name from {@code from} on; below 0 if it is not there. */
  private static int place(String[] names, String name, int from) {
    int near = Math.min(names.length, from + NEAR);
    for (int place = from; place < near; place++) {
      if (names[place].equals(name)) {
        return place;
      }
    }
    return Arrays.binarySearch(names, near, names.length, name);
  }
}
