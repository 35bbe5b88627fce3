package io.holdfast.trainer.window;

import java.util.Arrays;

/**
 * How many rows each environment may hold over all stretches of a buffer. For the newest stretches
 * first, each takes of its environments' shares. Owned by one thread.
 */
final class EnvironmentShares {
  /*
   * This is done for each version, of which there may be one for every few rows: environments go by
   * their place in one list, in plain loops.
   */
  /** Of the rows that may be held, how many are the newest, whatever their environment is. */
  private static final double NEWEST_SHARE = 0.75;

  /** So many places are looked at one after the other, for most stretches have all environments. */
  private static final int NEAR = 8;

  private final RowSample[] stretches;
  private final String[] names;
  private final int[] wants;
  private final int[] left;

  /**
   * Shares out.
   *
   * @param stretches oldest first; not copied
   * @param budget rows at most
   */
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

  /** What is left over goes to those seen last, one row each. */
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

  /** How many rows the environments have among the newest so many rows. */
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
        missing = 0; // of this stretch not all are among them, and of older ones none
      }
    }
    return due;
  }

  private void addNewest(int[] due, RowSample stretch, int rows) {
    int[] held = new int[stretch.names().length];
    for (int k = 0; k < held.length; k++) {
      held[k] = stretch.count(k);
    }
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

  /**
   * What a stretch takes of the shares that are left, by its environments; it is taken off them.
   */
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
        names = merged(names, stretch.names());
      }
    }
    return names;
  }

  /** Of two lists in order one in order, each name once. */
  private static String[] merged(String[] names, String[] others) {
    String[] all = new String[names.length + others.length];
    int count = 0;
    int other = 0;
    for (String name : names) {
      int order = 1;
      while (other < others.length && (order = others[other].compareTo(name)) < 0) {
        all[count++] = others[other++];
      }
      other += order == 0 ? 1 : 0;
      all[count++] = name;
    }
    int rest = others.length - other;
    System.arraycopy(others, other, all, count, rest);
    return Arrays.copyOf(all, count + rest);
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

  /** The place of a name, if it is there, from a place on; else less than 0. */
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
