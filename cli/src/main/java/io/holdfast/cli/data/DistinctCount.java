package io.holdfast.cli.data;

import java.util.TreeSet;

/** How many different texts there are, within a few per cent if many. Owned by one thread. */
final class DistinctCount {
  /*
   * The k smallest hashes of all (Bar-Yossef and others 2002): where the k-th lies tells how densely
   * hashes are spread, with a standard error of 1 / sqrt(k - 2), which is 3 per cent.
   */
  private static final int KEPT = 1_024;
  private static final int LATEST = 1_024;

  private final TreeSet<Long> smallest = new TreeSet<>(Long::compareUnsigned);
  private final long[] latest = new long[LATEST]; // many texts come again soon
  private long largest; // of the smallest
  private boolean repeated;

  /** Adds a text in UTF-8. */
  void add(byte[] bytes, int from, int length) {
    long hash = 0xcbf29ce484222325L; // FNV-1a
    for (int i = from; i < from + length; i++) {
      hash = (hash ^ bytes[i]) * 0x100000001b3L;
    }
    add(hash);
  }

  /** Adds a whole number, or a text's hash. */
  void add(long value) {
    long hash = mixed(value);
    if (hash == latest[(int) hash & (LATEST - 1)]) {
      repeated = true; // or it is the hash of nothing yet, which no sample notices
      return;
    }
    latest[(int) hash & (LATEST - 1)] = hash;
    if (smallest.size() < KEPT) {
      repeated |= !smallest.add(hash);
      largest = smallest.last();
    } else if (Long.compareUnsigned(hash, largest) <= 0) {
      if (smallest.add(hash)) {
        smallest.pollLast();
        largest = smallest.last();
      } else {
        repeated = true;
      }
    }
  }

  /** Whether a text came again; of many texts, whether one of a sample did. */
  boolean repeated() {
    return repeated;
  }

  double estimate() {
    if (smallest.size() < KEPT) {
      return smallest.size();
    }
    double share = (smallest.last() >>> 1) * 0x1p-63;
    return (KEPT - 1) / share;
  }

  /** Finished as SplitMix64 is: the high bits must be even. */
  private static long mixed(long value) {
    long hash = value + 0x9e3779b97f4a7c15L;
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }
}
