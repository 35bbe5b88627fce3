package io.holdfast.cli.data;

import java.util.TreeSet;

/** How many different texts there are, within a few per cent if many. Owned by one thread. */
final class DistinctCount {
  /*
   * The k smallest hashes of all (Bar-Yossef and others 2002): where the k-th lies tells how densely
   * hashes are spread, with a standard error of 1 / sqrt(k - 2), which is 3 per cent.
   */
  private static final int KEPT = 1_024;

  private final TreeSet<Long> smallest = new TreeSet<>(Long::compareUnsigned);
  private boolean repeated;

  void add(String text) {
    long hash = hash(text);
    if (smallest.size() < KEPT) {
      repeated |= !smallest.add(hash);
    } else if (Long.compareUnsigned(hash, smallest.last()) <= 0) {
      if (smallest.add(hash)) {
        smallest.pollLast();
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

  /** FNV-1a, finished as SplitMix64 is: its high bits must be even. */
  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }
}
